import { plainLine } from '../base/plainLine';

export { plainLine, plainPiece } from '../base/plainLine';

/**
 * The same for quick inputs, notifications and progress, where the editor would make icons of `$(name)` and links, also to
 * commands, of `[text](address)`.
 */
export function inertLine(text: string, limit = 200): string {
  return plainLine(text, limit).replaceAll('$(', '$ (').replaceAll('](', '] (');
}
