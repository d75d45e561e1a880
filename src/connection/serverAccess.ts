import type { Log } from '../base/log';
import { Credentials } from './credentials';
import { CredentialVault, type TokenRecord } from './credentialVault';
import type { HttpTarget, SdkModule, SessionTarget } from './mcpClient';
import { revokeTokens } from './revokeTokens';
import { holdCredential, type Secrets } from './secrets';
import { signIn } from './signIn';
import type { SignInHost } from './signInHost';
import type { Challenge } from './signInNeeded';

interface Surroundings {
  readonly serverId: string;
  readonly host: SignInHost;
  readonly secrets: Secrets;
  readonly log: Log;
}

/** One server's way in: its credentials, and the sign-in that gets them. */
export class ServerAccess {
  private readonly vault: CredentialVault;
  private known:
    { readonly sdk: SdkModule; readonly target: HttpTarget; readonly credentials: Credentials } | undefined;

  constructor(private readonly around: Surroundings) {
    this.vault = new CredentialVault(around.host.store);
  }

  /** What to connect with; `undefined` where there is nothing to sign in to. */
  credentials(sdk: SdkModule, target: SessionTarget): Credentials | undefined {
    if (!canSignIn(target)) {
      return undefined;
    }
    const { host, secrets, log } = this.around;
    const clientId = target.oauth?.clientId;
    if (this.known?.target.url !== target.url || this.known.target.oauth?.clientId !== clientId) {
      const credentials = new Credentials({
        sdk,
        serverUrl: target.url,
        clientId,
        vault: this.vault,
        editorToken: (session) => host.editorToken(session, 'silent'),
        secrets,
        log,
      });
      this.known = { sdk, target, credentials };
    }
    return this.known.credentials;
  }

  /** A sign-in gave what was connected with last. */
  get signedIn(): boolean {
    return this.known?.credentials.present === true;
  }

  /** A person signs in to what was connected to last. */
  async signIn(challenge: Challenge, signal: AbortSignal): Promise<void> {
    if (this.known) {
      await signIn({ ...this.around, ...this.known, vault: this.vault, challenge, signal });
    }
  }

  /** Forgets what signing in to what was connected to last gave. It is taken back once the session, which uses it, has ended. */
  async forget(endSession: () => Promise<void>): Promise<void> {
    const { known, vault } = this;
    if (known) {
      known.credentials.end((late) => this.takeBack(late, known));
    }
    const record = known && (await vault.tokens(known.target.url));
    if (known) {
      await vault.forgetTokens(known.target.url);
      this.known = undefined;
    }
    await endSession();
    if (record) {
      this.takeBack(record, known);
    }
  }

  /** Not waited for: a person has signed out whatever becomes of it. */
  private takeBack(record: TokenRecord, { sdk, target }: NonNullable<typeof this.known>): void {
    const { secrets, log } = this.around;
    secrets.add(record.accessToken, record.refreshToken);
    void revokeTokens(record, {
      sdk,
      serverUrl: target.url,
      clientId: target.oauth?.clientId,
      vault: this.vault,
      log,
    });
  }
}

/** A credential that a person wrote into the headers is used as it stands: its rejection never opens a sign-in. */
function canSignIn(target: SessionTarget): target is HttpTarget {
  if (target.type === 'stdio' || Object.keys(target.headers).some((name) => name.toLowerCase() === 'authorization')) {
    return false;
  }
  return target.oauth !== undefined || !holdCredential(target.headers);
}
