import type { EditorSession, SecretStore } from '../../src/connection/credentialVault';
import type { ClientAnswer, SignInHost, SignInRequest } from '../../src/connection/signInHost';

/** Secrets in memory, in plain sight of the test. */
export class MemoryStore implements SecretStore {
  readonly entries = new Map<string, string>();

  get(key: string): Promise<string | undefined> {
    return Promise.resolve(this.entries.get(key));
  }

  set(key: string, value: string): Promise<void> {
    this.entries.set(key, value);
    return Promise.resolve();
  }

  delete(key: string): Promise<void> {
    this.entries.delete(key);
    return Promise.resolve();
  }
}

/** A person and a browser: says yes and goes where the page leads, unless the test says otherwise. */
export class Person implements SignInHost {
  /** What was asked, in order. */
  readonly asked: string[] = [];
  way: 'browser' | 'editor' | undefined = 'browser';
  client: ClientAnswer | undefined;
  /** Goes to a page: by default as a browser would, following redirects. */
  browse: (url: string, giveUp: () => void) => Promise<unknown> = (url) => fetch(url);
  metadataUrl: string | undefined;

  constructor(readonly store: SecretStore = new MemoryStore()) {}

  clientMetadataUrl(): string | undefined {
    return this.metadataUrl;
  }

  choose({ issuer }: SignInRequest): Promise<'browser' | 'editor' | undefined> {
    this.asked.push(`choose ${issuer}`);
    return Promise.resolve(this.way);
  }

  askClient(request: SignInRequest & { readonly clientId?: string }): Promise<ClientAnswer | undefined> {
    this.asked.push(request.clientId === undefined ? 'client' : `secret of ${request.clientId}`);
    return Promise.resolve(this.client);
  }

  returnAddress(local: string): Promise<string> {
    return Promise.resolve(local);
  }

  async visit<T>(
    _request: SignInRequest,
    url: string,
    wait: (signal: AbortSignal) => Promise<T>,
  ): Promise<T | undefined> {
    this.asked.push('visit');
    const abort = new AbortController();
    const answer = wait(abort.signal).catch((error: unknown) => {
      if (abort.signal.aborted) {
        return undefined;
      }
      throw error;
    });
    await this.browse(url, () => abort.abort());
    return answer;
  }

  editorToken(session: EditorSession, how: string): Promise<string | undefined> {
    this.asked.push(`${session.provider}, ${how}`);
    return Promise.resolve(undefined);
  }
}

/** Whoever asks this one for anything is wrong. */
export function nobodySignsIn(store: SecretStore = new MemoryStore()): SignInHost {
  const nobody = (): never => {
    throw new Error('Nobody is there to sign in.');
  };
  return {
    store,
    clientMetadataUrl: () => undefined,
    choose: nobody,
    askClient: nobody,
    returnAddress: nobody,
    visit: nobody,
    editorToken: nobody,
  };
}
