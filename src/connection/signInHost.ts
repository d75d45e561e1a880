import type { EditorSession, SecretStore } from './credentialVault';

/** What a person is asked to sign in to. */
export interface SignInRequest {
  readonly serverId: string;
  /** Address of the server. */
  readonly serverUrl: string;
  /** The authorization server. */
  readonly issuer: string;
  /** The page that will be opened, without its parameters. */
  readonly page: string;
  /** Rights that are asked for, as far as they are known. */
  readonly scopes: readonly string[];
  /** A session of the editor's own would do. */
  readonly editorSession?: EditorSession;
}

/** An id that the authorization server knows us by. */
export interface ClientAnswer {
  readonly clientId: string;
  readonly clientSecret?: string;
}

/** What signing in needs of the editor and of the person in front of it. */
export interface SignInHost {
  readonly store: SecretStore;
  /** Address of the document that describes us as a client, where there is one. */
  clientMetadataUrl(): string | undefined;
  /** How a person wants to sign in, asked once; `undefined`: not at all. */
  choose(request: SignInRequest, signal: AbortSignal): Promise<'browser' | 'editor' | undefined>;
  /** Asks for a client id and its secret, or for the secret of a known id; `undefined`: given up. */
  askClient(
    request: SignInRequest & { readonly clientId?: string; readonly redirectUrl: string },
    signal: AbortSignal,
  ): Promise<ClientAnswer | undefined>;
  /** The address by which the person's browser reaches an address of this machine. */
  returnAddress(local: string): Promise<string>;
  /** Opens a page in the person's browser and shows that it is waited for; `undefined`: given up. */
  visit<T>(request: SignInRequest, url: string, wait: (signal: AbortSignal) => Promise<T>): Promise<T | undefined>;
  /**
   * The token of a session of the editor's own: of one that is there, of one that the editor asks the person for, or of
   * a new one in its place. `undefined` when there is none, or the person says no.
   */
  editorToken(session: EditorSession, how: 'silent' | 'ask' | 'anew'): Promise<string | undefined>;
}
