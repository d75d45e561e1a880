import type { AuthProvider } from '@modelcontextprotocol/client';
import { HumanError } from '../base/errors';
import type { Log } from '../base/log';
import { authorizationFetch } from './authorizationFetch';
import { fallbackMetadata } from './authorizationMetadata';
import type { CredentialVault, EditorSession, TokenRecord } from './credentialVault';
import type { SdkModule } from './mcpClient';
import type { Secrets } from './secrets';
import { deepestMessage } from './sdkFailure';
import { type Challenge, SignInNeeded } from './signInNeeded';

/** RFC 6749, section 4.1.2.1: a fault over there, which says nothing of the token. */
const SERVER_ERROR = 'server_error';

export interface CredentialsOptions {
  readonly sdk: SdkModule;
  readonly serverUrl: string;
  /** The client id that the configuration names. */
  readonly clientId: string | undefined;
  readonly vault: CredentialVault;
  /** The token of a session of the editor's own, without asking anybody; `undefined` when it has ended. */
  readonly editorToken: (session: EditorSession) => Promise<string | undefined>;
  readonly secrets: Secrets;
  readonly log: Log;
}

/** What a transport needs to send a token, and to hear that it was refused. */
export interface Access {
  readonly authProvider: AuthProvider;
  /** A `fetch` that remembers which token was refused, and which accepted. */
  watching(base: typeof fetch): typeof fetch;
}

/**
 * The token of one server, renewed without a person where that is possible. A token that was refused is never sent
 * again: from then on there is another one, or every request fails with `SignInNeeded`.
 */
export class Credentials {
  private record: TokenRecord | undefined;
  private loading: Promise<unknown> | undefined;
  private renewal: Promise<void> | undefined;
  /** By token, what the server said when it refused it. */
  private readonly refused = new Map<string, Challenge>();
  /** Renewed, and not yet accepted by the server. */
  private unproven: string | undefined;
  private tooLate: ((record: TokenRecord) => void) | undefined;
  private readonly sentWith = new WeakMap<Response, string>();

  constructor(private readonly options: CredentialsOptions) {}

  /** What a transport needs. `onNeeded` hears of a refusal that only a person can mend. */
  access(onNeeded: (error: SignInNeeded) => void): Access {
    const telling = async <T>(work: Promise<T>): Promise<T> => {
      try {
        return await work;
      } catch (error) {
        if (error instanceof SignInNeeded) {
          onNeeded(error);
        }
        throw error;
      }
    };
    const watched = async (...[base, input, init]: [typeof fetch, ...Parameters<typeof fetch>]): Promise<Response> => {
      const token = /^Bearer (.+)$/.exec(new Headers(init?.headers).get('authorization') ?? '')?.[1];
      const response = await base(input, init);
      if (token !== undefined && response.status === 401) {
        const challenge = this.challengeOf(response);
        this.sentWith.set(response, token);
        this.refused.set(token, challenge);
        if (token === this.unproven) {
          onNeeded(new SignInNeeded('rejected', challenge));
        }
      } else if (token === this.unproven) {
        this.unproven = undefined;
      }
      return response;
    };
    return {
      authProvider: {
        token: () => telling(this.token()),
        onUnauthorized: ({ response }) => telling(this.renew(this.sentWith.get(response), this.challengeOf(response))),
      },
      watching: (base) => (input, init) => (this.present ? watched(base, input, init) : base(input, init)),
    };
  }

  isRefused(token: string): boolean {
    return this.refused.has(token);
  }

  /** There is a token, as far as is known without looking. */
  get present(): boolean {
    return this.record !== undefined;
  }

  async current(): Promise<TokenRecord | undefined> {
    this.loading ??= this.load().catch((error: unknown) => {
      this.loading = undefined;
      throw error;
    });
    await this.loading;
    return this.record;
  }

  /** Takes over what a sign-in gave. */
  async adopt(record: TokenRecord): Promise<void> {
    if (this.tooLate) {
      this.tooLate(record);
      throw new SignInNeeded('signedOut');
    }
    await this.options.vault.saveTokens(this.options.serverUrl, record);
    this.take(record);
    this.unproven = record.accessToken;
    this.loading = Promise.resolve();
  }

  /** A person signs out: what a renewal or a sign-in under way gives after this is not kept, but handed over. */
  end(tooLate: (record: TokenRecord) => void): void {
    this.tooLate = tooLate;
  }

  private async token(): Promise<string | undefined> {
    const record = await this.current();
    const challenge = record && this.refused.get(record.accessToken);
    if (challenge) {
      await this.renew(record.accessToken, challenge);
    }
    return this.record?.accessToken;
  }

  private challengeOf(response: Response): Challenge {
    const { resourceMetadataUrl, scope } = this.options.sdk.extractWWWAuthenticateParams(response);
    return { resourceMetadataUrl, scope };
  }

  /** Requests that are refused at the same time share one renewal. */
  private renew(sent: string | undefined, challenge: Challenge): Promise<void> {
    this.renewal ??= this.renewNow(sent, challenge).finally(() => (this.renewal = undefined));
    return this.renewal;
  }

  private async renewNow(sent: string | undefined, challenge: Challenge): Promise<void> {
    if (sent !== undefined && sent === this.unproven) {
      throw new SignInNeeded('rejected', challenge);
    }
    // Another window, or another request, may have done it meanwhile.
    await this.load();
    const record = this.record;
    if (record && record.accessToken !== sent && !this.refused.has(record.accessToken)) {
      return;
    }
    if (!record) {
      throw new SignInNeeded('noToken', challenge);
    }
    if (record.refreshToken === undefined) {
      throw new SignInNeeded('expired', challenge);
    }
    await this.adopt(await this.refreshed(record, record.refreshToken, challenge));
    this.options.log.info('The sign-in was renewed.');
  }

  /** RFC 6749, section 6, at the authorization server that issued the token and at no other. */
  private async refreshed(record: TokenRecord, refreshToken: string, challenge: Challenge): Promise<TokenRecord> {
    const { sdk, serverUrl, clientId, vault } = this.options;
    const fetchFn = authorizationFetch(serverUrl);
    try {
      const metadata =
        (await sdk.discoverAuthorizationServerMetadata(record.issuer, { fetchFn })) ?? fallbackMetadata(record.issuer);
      if (clientId !== undefined && clientId !== record.clientId) {
        // The configuration names another client by now.
        throw new SignInNeeded('expired', challenge);
      }
      // Another server's sign-in may have registered anew meanwhile: what was granted to the old client stays its own.
      const client = await vault.client(record.issuer, clientId);
      const secret = client?.clientId === record.clientId ? client.clientSecret : undefined;
      const tokens = await sdk.refreshAuthorization(record.issuer, {
        metadata,
        clientInformation: { client_id: record.clientId, client_secret: secret },
        refreshToken,
        resource: record.resource,
        fetchFn,
      });
      return {
        ...record,
        accessToken: tokens.access_token,
        refreshToken: tokens.refresh_token ?? refreshToken,
        scope: tokens.scope ?? record.scope,
      };
    } catch (error) {
      if (error instanceof SignInNeeded) {
        throw error;
      }
      if (error instanceof sdk.IssuerMismatchError) {
        throw new SignInNeeded('wrongIssuer', challenge, { cause: error });
      }
      if (error instanceof sdk.OAuthError && error.code !== SERVER_ERROR) {
        return this.renewedElsewhere(record, new SignInNeeded('revoked', challenge, { cause: error }));
      }
      throw error instanceof HumanError
        ? error
        : new HumanError(`The sign-in could not be renewed: ${deepestMessage(error)}`, { cause: error });
    }
  }

  /** A refresh token is often good for one use: another window may have been faster. */
  private async renewedElsewhere(before: TokenRecord, otherwise: SignInNeeded): Promise<TokenRecord> {
    await this.load();
    if (this.record && this.record.accessToken !== before.accessToken) {
      return this.record;
    }
    throw otherwise;
  }

  private async load(): Promise<void> {
    const stored = await this.options.vault.tokens(this.options.serverUrl);
    const session = stored?.editorSession;
    const accessToken = session ? await this.options.editorToken(session) : stored?.accessToken;
    this.take(stored && accessToken !== undefined ? { ...stored, accessToken } : undefined);
  }

  private take(record: TokenRecord | undefined): void {
    this.record = record;
    this.options.secrets.add(record?.accessToken, record?.refreshToken);
  }
}
