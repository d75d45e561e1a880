import type * as vscode from 'vscode';
import type { SecretStore } from '../connection/credentialVault';

/** The editor's SecretStorage, encrypted by the operating system where it can. */
export function secretStore(secrets: vscode.SecretStorage): SecretStore {
  return {
    get: async (key) => secrets.get(key),
    set: async (key, value) => secrets.store(key, value),
    delete: async (key) => secrets.delete(key),
  };
}
