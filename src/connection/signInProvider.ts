import { randomBytes } from 'node:crypto';
import type {
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import type { CredentialVault, TokenRecord } from './credentialVault';

export interface SignInProviderOptions {
  readonly vault: CredentialVault;
  readonly issuer: string;
  /** The client id that the configuration names. */
  readonly configuredId: string | undefined;
  readonly redirectUrl: string;
  readonly clientMetadataUrl: string | undefined;
  readonly discovery: OAuthDiscoveryState;
  readonly learn: (...secrets: readonly (string | undefined)[]) => void;
}

/** One sign-in, as the SDK's flow sees it: what it finds out stays here until it has succeeded. */
export class SignInProvider implements OAuthClientProvider {
  readonly redirectUrl: string;
  readonly clientMetadataUrl: string | undefined;
  /** Comes back with the answer, and shows that it belongs to this sign-in. */
  readonly stateValue = randomBytes(24).toString('base64url');
  /** The page to open. */
  authorizationUrl: URL | undefined;
  /** The authorization server does not know the client id, or its secret is wrong. */
  clientRefused = false;
  record: TokenRecord | undefined;

  private client: StoredOAuthClientInformation | undefined;
  private clientId = '';
  private verifier = '';
  private resource: string | undefined;

  constructor(private readonly options: SignInProviderOptions) {
    this.redirectUrl = options.redirectUrl;
    this.clientMetadataUrl = options.clientMetadataUrl;
  }

  get clientMetadata(): OAuthClientMetadata {
    return {
      client_name: 'MCP Resources',
      redirect_uris: [this.redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      application_type: 'native',
    };
  }

  state(): string {
    return this.stateValue;
  }

  async clientInformation(): Promise<StoredOAuthClientInformation | undefined> {
    const { vault, issuer, configuredId } = this.options;
    if (this.client) {
      return this.client;
    }
    const record = await vault.client(issuer, configuredId);
    const clientId = configuredId ?? record?.clientId;
    const fits = configuredId !== undefined || (record?.redirectUris?.includes(this.redirectUrl) ?? true);
    if (clientId === undefined || !fits) {
      return undefined;
    }
    this.options.learn(record?.clientSecret);
    this.clientId = clientId;
    return { client_id: clientId, client_secret: record?.clientSecret, issuer };
  }

  async saveClientInformation(client: StoredOAuthClientInformation): Promise<void> {
    const { vault, issuer, configuredId, learn } = this.options;
    this.client = client;
    this.clientId = client.client_id;
    learn(client.client_secret);
    if (configuredId === undefined) {
      // The address of a document is good for every port (RFC 8252, section 7.3), a registration for its own.
      const registered = client.client_id !== this.clientMetadataUrl;
      await vault.saveClient(issuer, undefined, {
        clientId: client.client_id,
        clientSecret: client.client_secret,
        redirectUris: registered ? [this.redirectUrl] : undefined,
      });
    }
  }

  tokens(): StoredOAuthTokens | undefined {
    return undefined;
  }

  saveTokens(tokens: StoredOAuthTokens): void {
    this.record = {
      issuer: this.options.issuer,
      clientId: this.clientId,
      accessToken: tokens.access_token,
      refreshToken: tokens.refresh_token,
      scope: tokens.scope ?? this.authorizationUrl?.searchParams.get('scope') ?? undefined,
      resource: this.resource,
    };
  }

  redirectToAuthorization(url: URL): void {
    this.authorizationUrl = url;
  }

  saveCodeVerifier(verifier: string): void {
    this.verifier = verifier;
    this.options.learn(verifier);
  }

  codeVerifier(): string {
    return this.verifier;
  }

  saveResourceUrl(resource: string): void {
    this.resource = resource;
  }

  discoveryState(): OAuthDiscoveryState {
    return this.options.discovery;
  }

  saveDiscoveryState(): void {
    // What was discovered holds for the whole sign-in.
  }

  async invalidateCredentials(scope: 'all' | 'client' | 'tokens' | 'verifier' | 'discovery'): Promise<void> {
    if (scope === 'client' || scope === 'all') {
      this.clientRefused = true;
      this.client = undefined;
      await this.options.vault.forgetClient(this.options.issuer, this.options.configuredId);
    }
  }
}
