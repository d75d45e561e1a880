import { schemes } from '../ids';

/**
 * The scheme of our documents. VS Code's own MCP support registers `mcp-resource` for itself, and registering it again
 * fails without a word; `isWritableFileSystem` answers `undefined` only where nobody has it.
 */
export function documentScheme(isWritableFileSystem: (scheme: string) => boolean | undefined): string {
  return isWritableFileSystem(schemes.preferred) === undefined ? schemes.preferred : schemes.fallback;
}
