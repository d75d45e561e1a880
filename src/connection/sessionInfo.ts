import type { Client } from '@modelcontextprotocol/client';
import type { SessionInfo } from './wire';

/** What was negotiated (specification: basic/lifecycle; server/discover in the modern era). */
export function sessionInfoOf(client: Client, listsAnyway: boolean): SessionInfo {
  const capabilities = client.getServerCapabilities() ?? {};
  const version = client.getServerVersion();
  return {
    era: client.getProtocolEra() ?? 'legacy',
    protocolVersion: client.getNegotiatedProtocolVersion() ?? 'unknown',
    serverName: version?.title ?? version?.name,
    serverVersion: version?.version,
    icons: version?.icons,
    resources: capabilities.resources !== undefined || listsAnyway,
    subscribe: capabilities.resources?.subscribe === true,
    listChanged: capabilities.resources?.listChanged === true,
    completions: capabilities.completions !== undefined,
  };
}
