import type {
  AuthorizationServerMetadata,
  OAuthDiscoveryState,
  OAuthProtectedResourceMetadata,
} from '@modelcontextprotocol/client';
import { CancelledError, HumanError } from '../base/errors';
import type { Log } from '../base/log';
import { authorizationFetch, secureAddress } from './authorizationFetch';
import { fallbackMetadata, hasFallbackPage } from './authorizationMetadata';
import type { Credentials } from './credentials';
import type { CredentialVault, EditorSession } from './credentialVault';
import { editorProvider } from './editorProvider';
import { LoopbackListener } from './loopbackListener';
import type { HttpTarget, SdkModule } from './mcpClient';
import type { Secrets } from './secrets';
import { deepestMessage } from './sdkFailure';
import type { SignInHost, SignInRequest } from './signInHost';
import { type Challenge, SignInNeeded } from './signInNeeded';
import { SignInProvider } from './signInProvider';

export interface SignInOptions {
  readonly sdk: SdkModule;
  readonly serverId: string;
  readonly target: HttpTarget;
  readonly challenge: Challenge;
  readonly credentials: Credentials;
  readonly vault: CredentialVault;
  readonly host: SignInHost;
  readonly secrets: Secrets;
  readonly log: Log;
  readonly signal: AbortSignal;
}

interface Found {
  readonly discovery: OAuthDiscoveryState;
  readonly metadata: AuthorizationServerMetadata;
}

/** How long a person may take in the browser. */
const PATIENCE_MS = 10 * 60_000;
/** Where VS Code itself waits for answers: a client id that was registered for it works here, too. */
const EDITOR_PORT = 33418;

/**
 * Signs a person in to a server (specification: basic/authorization): OAuth 2.1 with PKCE, `state`, `iss` and a resource
 * indicator, in the person's browser. Rejects with `SignInNeeded` where trying again may help, else with a HumanError.
 */
export async function signIn(options: SignInOptions): Promise<void> {
  const { host, target, serverId, signal, log } = options;
  try {
    const resource = await resourceMetadata(options);
    const scopes = (await scopeOf(options))?.split(' ') ?? resource?.scopes_supported ?? [];
    const named = resource?.authorization_servers?.[0];
    const provider = named === undefined || target.oauth ? undefined : editorProvider(named);
    // The editor's own sessions need nothing of what is only good for a browser.
    const found = provider ? undefined : await discover(resource, options);
    const request: SignInRequest = {
      serverId,
      serverUrl: target.url,
      issuer: found?.metadata.issuer ?? named!,
      page: new URL(found?.metadata.authorization_endpoint ?? named!).origin,
      scopes,
      editorSession: provider && { provider, scopes },
    };
    const way = await host.choose(request, signal);
    signal.throwIfAborted();
    if (way === undefined) {
      throw new SignInNeeded('cancelled', options.challenge);
    }
    if (way === 'editor' && request.editorSession) {
      await byEditorSession(request.issuer, request.editorSession, options);
    } else {
      await inBrowser(found ?? (await discover(resource, options)), request, options);
    }
    log.info(`Signed in at ${new URL(request.issuer).host}.`);
  } catch (error) {
    throw failureOf(options, error);
  }
}

/** What the server says of itself (RFC 9728); asked of none but the server, and of nobody it does not name. */
async function resourceMetadata(options: SignInOptions): Promise<OAuthProtectedResourceMetadata | undefined> {
  const { sdk, target, challenge, signal } = options;
  const { resourceMetadataUrl } = challenge;
  const fetchFn = authorizationFetch(target.url, signal);
  try {
    return await sdk.discoverOAuthProtectedResourceMetadata(target.url, { resourceMetadataUrl }, fetchFn);
  } catch (error) {
    if (error instanceof HumanError || signal.aborted) {
      throw error;
    }
    // Servers that predate such metadata are their own authorization servers.
    options.log.debug(`No metadata of the server: ${deepestMessage(error)}`);
    return undefined;
  }
}

/** How to sign in there (RFC 8414, and what came before it). */
async function discover(resource: OAuthProtectedResourceMetadata | undefined, options: SignInOptions): Promise<Found> {
  const { sdk, target, challenge, signal } = options;
  const authorizationServerUrl = resource?.authorization_servers?.[0] ?? new URL('/', target.url).href;
  const fetchFn = authorizationFetch(target.url, signal);
  const fallback = resource ? undefined : fallbackMetadata(authorizationServerUrl);
  const metadata =
    (await sdk.discoverAuthorizationServerMetadata(authorizationServerUrl, { fetchFn })) ??
    (fallback && (await hasFallbackPage(fallback, fetchFn)) ? fallback : undefined);
  if (!metadata) {
    throw new HumanError(
      'The server refuses access (HTTP 401) and names no place to sign in. Check the credentials in its headers.',
    );
  }
  // It is opened in the person's browser, which knows more schemes than the web's.
  secureAddress(target.url, metadata.authorization_endpoint);
  if (!metadata.code_challenge_methods_supported?.includes('S256')) {
    // Specification: basic/authorization, authorization code protection.
    throw new HumanError(`Signing in at ${new URL(metadata.issuer).host} is not secure: it does not support PKCE.`);
  }
  return {
    discovery: {
      authorizationServerUrl,
      authorizationServerMetadata: metadata,
      resourceMetadata: resource,
      resourceMetadataUrl: challenge.resourceMetadataUrl?.href,
    },
    metadata,
  };
}

/** What is asked for now, and what was granted before: a wider grant must not lose the narrower one. */
async function scopeOf({ sdk, challenge, credentials }: SignInOptions): Promise<string | undefined> {
  return challenge.scope === undefined
    ? undefined
    : sdk.computeScopeUnion((await credentials.current())?.scope, challenge.scope);
}

async function byEditorSession(issuer: string, session: EditorSession, options: SignInOptions): Promise<void> {
  const { host, credentials, challenge } = options;
  const known = await host.editorToken(session, 'ask');
  const token = known !== undefined && credentials.isRefused(known) ? await host.editorToken(session, 'anew') : known;
  if (token === undefined) {
    throw new SignInNeeded('cancelled', challenge);
  }
  const scope = session.scopes.join(' ');
  await credentials.adopt({ issuer, clientId: '', accessToken: token, scope, editorSession: session });
}

async function inBrowser(
  { discovery, metadata }: Found,
  request: SignInRequest,
  options: SignInOptions,
): Promise<void> {
  const { sdk, target, challenge, credentials, vault, host, secrets, signal } = options;
  const { issuer } = metadata;
  const configuredId = target.oauth?.clientId;
  const known = await vault.client(issuer, undefined);
  const listener = await LoopbackListener.start(configuredId === undefined ? portOf(known?.redirectUris) : EDITOR_PORT);
  try {
    const redirectUrl = await host.returnAddress(listener.address);
    const provider = new SignInProvider({
      vault,
      issuer,
      configuredId,
      redirectUrl,
      clientMetadataUrl: host.clientMetadataUrl(),
      discovery,
      learn: (...values) => secrets.add(...values),
    });
    const flow = {
      serverUrl: target.url,
      resourceMetadataUrl: challenge.resourceMetadataUrl,
      scope: await scopeOf(options),
      fetchFn: authorizationFetch(target.url, signal),
      forceReauthorization: true,
    };
    const ask = async (): Promise<void> => {
      const answer = await host.askClient({ ...request, clientId: configuredId, redirectUrl }, signal);
      if (!answer) {
        throw new SignInNeeded('cancelled', challenge);
      }
      secrets.add(answer.clientSecret);
      await vault.saveClient(issuer, configuredId, answer);
    };
    if (await mustAsk(metadata, provider, configuredId)) {
      await ask();
    }
    try {
      await sdk.auth(provider, flow);
    } catch (error) {
      if (!(error instanceof sdk.RegistrationRejectedError)) {
        throw error;
      }
      await ask();
      await sdk.auth(provider, flow);
    }
    const url = provider.authorizationUrl!;
    const answer = await host.visit(request, url.href, (cancel) =>
      listener.answer(provider.stateValue, AbortSignal.any([signal, cancel, AbortSignal.timeout(PATIENCE_MS)])),
    );
    if (!answer) {
      throw new SignInNeeded('cancelled', challenge);
    }
    const authorizationCode = codeOf(answer, metadata, options);
    secrets.add(authorizationCode);
    try {
      await sdk.auth(provider, { ...flow, authorizationCode, iss: answer.get('iss') ?? undefined });
    } catch (error) {
      throw provider.clientRefused ? new SignInNeeded('client', challenge, { cause: error }) : error;
    }
    if (!provider.record) {
      throw new HumanError('The sign-in gave no token.');
    }
    await credentials.adopt(provider.record);
  } finally {
    listener.dispose();
  }
}

/** Whether nothing but a person knows the client id, or the secret that belongs to it. */
async function mustAsk(
  metadata: AuthorizationServerMetadata,
  provider: SignInProvider,
  configuredId: string | undefined,
): Promise<boolean> {
  const client = await provider.clientInformation();
  if (client) {
    const methods = metadata.token_endpoint_auth_methods_supported;
    const needsSecret = methods !== undefined && !methods.includes('none');
    return configuredId !== undefined && client.client_secret === undefined && needsSecret;
  }
  const byDocument = metadata.client_id_metadata_document_supported === true && provider.clientMetadataUrl;
  return !byDocument && metadata.registration_endpoint === undefined;
}

/** The code, once it is certain who answers: before that not even an error is believed (RFC 9207, section 2.4). */
function codeOf(answer: URLSearchParams, metadata: AuthorizationServerMetadata, options: SignInOptions): string {
  options.sdk.validateAuthorizationResponseIssuer({
    iss: answer.get('iss') ?? undefined,
    expectedIssuer: metadata.issuer,
    issParameterSupported: metadata.authorization_response_iss_parameter_supported === true,
  });
  const code = answer.get('code');
  if (code !== null) {
    return code;
  }
  const error = answer.get('error');
  if (error === 'access_denied') {
    throw new SignInNeeded('denied', options.challenge);
  }
  throw new HumanError(`The sign-in failed: ${answer.get('error_description') ?? error ?? 'no code was given'}`);
}

function failureOf({ sdk, challenge, signal }: SignInOptions, error: unknown): Error {
  if (signal.aborted) {
    return new CancelledError();
  }
  if (error instanceof HumanError) {
    return error;
  }
  if (error instanceof Error && (error.name === 'AbortError' || error.name === 'TimeoutError')) {
    return new SignInNeeded('cancelled', challenge, { cause: error });
  }
  if (error instanceof sdk.IssuerMismatchError) {
    return new SignInNeeded('wrongIssuer', challenge, { cause: error });
  }
  return new HumanError(`The sign-in failed: ${deepestMessage(error)}`, { cause: error });
}

function portOf(redirectUris: readonly string[] | undefined): number {
  const [address] = redirectUris ?? [];
  return address !== undefined && URL.canParse(address) ? Number(new URL(address).port) : 0;
}
