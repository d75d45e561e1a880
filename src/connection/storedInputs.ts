import type { SecretStore } from './credentialVault';

/** A name for what is stored: what it is made of may hold secrets. */
export { digestOf as keyOfInput } from '../base/digest';

const KEY = 'inputs';

/** What a person has said for servers' configurations, in one encrypted entry, since secrets cannot be listed. */
export class StoredInputs {
  constructor(private readonly store: SecretStore) {}

  async get(key: string): Promise<string | undefined> {
    const all = await this.all();
    return Object.hasOwn(all, key) ? all[key] : undefined;
  }

  /** What other windows have stored meanwhile stays. */
  async set(key: string, value: string): Promise<void> {
    await this.store.set(KEY, JSON.stringify({ ...(await this.all()), [key]: value }));
  }

  /** Forgets everything and gives the number of what was stored. */
  async forget(): Promise<number> {
    const count = Object.keys(await this.all()).length;
    await this.store.delete(KEY);
    return count;
  }

  private async all(): Promise<Readonly<Record<string, string>>> {
    try {
      return JSON.parse((await this.store.get(KEY)) ?? '{}') as Record<string, string>;
    } catch {
      return {};
    }
  }
}
