import type { Log } from '../base/log';
import { authorizationFetch } from './authorizationFetch';
import type { CredentialVault, TokenRecord } from './credentialVault';
import type { SdkModule } from './mcpClient';
import { deepestMessage } from './sdkFailure';

/** For both tokens together, with what has to be found out first. Milliseconds. */
const LIMIT_MS = 5000;

/** What metadata of either kind may say of revocation (RFC 8414, section 2). */
interface Revocation {
  readonly revocation_endpoint?: string;
  readonly revocation_endpoint_auth_methods_supported?: readonly string[];
}

export interface RevokeOptions {
  readonly sdk: SdkModule;
  readonly serverUrl: string;
  /** The client id that the configuration names. */
  readonly clientId: string | undefined;
  readonly vault: CredentialVault;
  readonly log: Log;
}

/**
 * Has tokens made invalid by the authorization server that issued them, where it offers that (RFC 7009); no other ever sees
 * them. Never rejects: a person has signed out whatever becomes of it, and the log says what did.
 */
export async function revokeTokens(record: TokenRecord, options: RevokeOptions): Promise<void> {
  const { issuer, accessToken, refreshToken, editorSession } = record;
  if (editorSession) {
    // The editor's, which is signed out of in the editor.
    return;
  }
  const { sdk, serverUrl, log } = options;
  const fetchFn = authorizationFetch(serverUrl, AbortSignal.timeout(LIMIT_MS));
  try {
    // The SDK checks whose metadata it is, and leaves out what it does not need itself.
    let whole: Revocation = {};
    const keeping: typeof fetchFn = async (input, init) => {
      const response = await fetchFn(input, init);
      whole = response.ok ? ((await response.clone().json()) as Revocation) : {};
      return response;
    };
    const metadata = await sdk.discoverAuthorizationServerMetadata(issuer, { fetchFn: keeping });
    const { revocation_endpoint: endpoint, revocation_endpoint_auth_methods_supported: methods } = metadata
      ? whole
      : {};
    if (endpoint === undefined) {
      log.info('The authorization server takes back no tokens: they end by themselves.');
      return;
    }
    const { headers, fields } = await clientFields(record, methods, options);
    // With the refresh token its access tokens should end, too (section 2.1). Not everywhere they do.
    const tokens = [
      ...(refreshToken === undefined ? [] : [{ token: refreshToken, token_type_hint: 'refresh_token' }]),
      { token: accessToken, token_type_hint: 'access_token' },
    ];
    for (const token of tokens) {
      const body = new URLSearchParams({ ...token, ...fields });
      const response = await fetchFn(endpoint, {
        method: 'POST',
        headers,
        body,
        redirect: 'error',
      });
      await response.body?.cancel();
      const words = response.ok ? 'was taken back' : `was not taken back (HTTP ${response.status})`;
      log.info(`The ${token.token_type_hint.replace('_', ' ')} ${words} by the authorization server.`);
    }
  } catch (error) {
    log.warn(`Signed out here, but the authorization server was not told: ${deepestMessage(error)}`);
  }
}

/** Who asks (RFC 6749, section 2.3): the client that the tokens were issued to. */
async function clientFields(
  { issuer, clientId }: TokenRecord,
  methods: readonly string[] | undefined,
  options: RevokeOptions,
): Promise<{ headers: Record<string, string>; fields: Record<string, string> }> {
  const client = await options.vault.client(issuer, options.clientId);
  const secret = client?.clientId === clientId ? client.clientSecret : undefined;
  if (secret === undefined) {
    return { headers: {}, fields: { client_id: clientId } };
  }
  if (methods?.includes('client_secret_post') === true && !methods.includes('client_secret_basic')) {
    return { headers: {}, fields: { client_id: clientId, client_secret: secret } };
  }
  const pair = [clientId, secret].map(encodeURIComponent).join(':');
  return { headers: { authorization: `Basic ${Buffer.from(pair).toString('base64')}` }, fields: {} };
}
