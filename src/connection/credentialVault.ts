import { createHash } from 'node:crypto';

/** Where secrets are kept: the editor's SecretStorage. */
export interface SecretStore {
  get(key: string): Promise<string | undefined>;
  set(key: string, value: string): Promise<void>;
  delete(key: string): Promise<void>;
}

/** What a sign-in gave: good for one server, renewed at one authorization server. */
export interface TokenRecord {
  /** The authorization server that issued it. */
  readonly issuer: string;
  readonly clientId: string;
  readonly accessToken: string;
  readonly refreshToken?: string;
  /** Rights that were granted, as far as it was said. */
  readonly scope?: string;
  /** The resource indicator that it was asked for (RFC 8707). */
  readonly resource?: string;
  /** The token is that of a session of the editor's own: it is asked for again, never kept. */
  readonly editorSession?: EditorSession;
}

/** A session of the editor's own, by which it can be found again. */
export interface EditorSession {
  readonly provider: 'github' | 'microsoft';
  readonly scopes: readonly string[];
}

/** How an authorization server knows us. */
export interface ClientRecord {
  readonly clientId: string;
  readonly clientSecret?: string;
  /** Addresses that were registered to return to; absent where a person gave the id. */
  readonly redirectUris?: readonly string[];
}

/**
 * Tokens by server, registrations by authorization server. Names are digests: addresses can hold secrets, and only the
 * values are encrypted.
 */
export class CredentialVault {
  constructor(private readonly store: SecretStore) {}

  tokens(serverUrl: string): Promise<TokenRecord | undefined> {
    return this.read<TokenRecord>(tokensKey(serverUrl));
  }

  saveTokens(serverUrl: string, record: TokenRecord): Promise<void> {
    // The editor keeps its sessions itself.
    const kept = record.editorSession ? { ...record, accessToken: '' } : record;
    return this.store.set(tokensKey(serverUrl), JSON.stringify(kept));
  }

  forgetTokens(serverUrl: string): Promise<void> {
    return this.store.delete(tokensKey(serverUrl));
  }

  /** `configuredId`: the client id that the server's configuration names; its secret is kept here. */
  client(issuer: string, configuredId: string | undefined): Promise<ClientRecord | undefined> {
    return this.read<ClientRecord>(clientKey(issuer, configuredId));
  }

  saveClient(issuer: string, configuredId: string | undefined, record: ClientRecord): Promise<void> {
    return this.store.set(clientKey(issuer, configuredId), JSON.stringify(record));
  }

  forgetClient(issuer: string, configuredId: string | undefined): Promise<void> {
    return this.store.delete(clientKey(issuer, configuredId));
  }

  private async read<T>(key: string): Promise<T | undefined> {
    const text = await this.store.get(key);
    try {
      return text === undefined ? undefined : (JSON.parse(text) as T);
    } catch {
      return undefined;
    }
  }
}

function tokensKey(serverUrl: string): string {
  return `tokens ${digest(new URL(serverUrl).href)}`;
}

function clientKey(issuer: string, configuredId: string | undefined): string {
  return `client ${digest(issuer)}${configuredId === undefined ? '' : ` ${digest(configuredId)}`}`;
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
