import type { ResourceRef } from '../connection/connectionPool';
import { jsonLine } from './dataFrame';

/** `toolReferenceName` of the tool that reads. */
export const readerName = 'mcpResource';

/**
 * A resource as text for a message, a prompt file or an instruction file: the name of the tool that reads, which a
 * message resolves, and its input, which any model can pass on as it is.
 */
export function referenceText({ serverId, uri }: ResourceRef): string {
  return `#${readerName} ${jsonLine({ server: serverId, uri })}`;
}
