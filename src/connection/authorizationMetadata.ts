import type { AuthorizationServerMetadata } from '@modelcontextprotocol/client';

/** What an address says that is not there, or is for others. */
const NO_PAGE = [401, 403, 404, 405, 410, 501];

/**
 * Where one signs in at a server that is its own authorization server and says nowhere how (specification 2025-03-26:
 * basic/authorization, fallbacks). `origin` is the server's, without a path. PKCE was demanded of all of them.
 */
export function fallbackMetadata(origin: string): AuthorizationServerMetadata {
  const at = (path: string): string => new URL(path, origin).href;
  return {
    issuer: new URL(origin).origin,
    authorization_endpoint: at('/authorize'),
    token_endpoint: at('/token'),
    registration_endpoint: at('/register'),
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
  };
}

/** Whether there is such a page at all: a server that takes a key in a header refuses access and has none. */
export async function hasFallbackPage(
  metadata: AuthorizationServerMetadata,
  fetchFn: (input: string | URL, init?: RequestInit) => Promise<Response>,
): Promise<boolean> {
  const response = await fetchFn(metadata.authorization_endpoint, { redirect: 'manual' });
  await response.body?.cancel();
  return !NO_PAGE.includes(response.status);
}
