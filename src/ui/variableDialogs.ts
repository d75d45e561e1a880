import * as vscode from 'vscode';
import type { Folder } from '../config/locations';
import type { SecretStore } from '../connection/credentialVault';
import type { VariableHost, VariableQuestion } from '../connection/launchVariables';
import { inertLine, plainLine } from './plainText';
import { askModal, askText, untilAborted } from './quickSteps';
import { secretStore } from './secretStore';
import { setting } from './settings';

/** Gives variables of a configuration what the editor and the person in front of it know. */
export class VariableDialogs implements VariableHost {
  readonly store: SecretStore;

  constructor(secrets: vscode.SecretStorage) {
    this.store = secretStore(secrets);
  }

  folders(): readonly Folder[] {
    return (vscode.workspace.workspaceFolders ?? [])
      .filter(({ uri }) => uri.scheme === 'file')
      .map(({ name, uri }) => ({ name, path: uri.fsPath }));
  }

  setting(name: string, folder: Folder | undefined): string | undefined {
    return setting(name, folder?.path).value;
  }

  async ask(
    { serverId, place, input }: Parameters<VariableHost['ask']>[0],
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const title = vscode.l10n.t('Input for server "{0}": {1}', inertLine(serverId, 40), inertLine(input.id, 40));
    const words = inertLine(input.description ?? input.id, 300);
    const prompt = vscode.l10n.t('{0} (asked for by {1})', words, inertLine(place, 80));
    return input.type === 'promptString'
      ? askText(signal, { title, prompt, value: input.default, password: input.password })
      : choose(title, prompt, input, signal);
  }

  async mayRun(
    { serverId, place, command }: VariableQuestion & { readonly command: string },
    signal: AbortSignal,
  ): Promise<boolean> {
    const run = vscode.l10n.t('Run Command');
    const server = plainLine(serverId, 40);
    const text = {
      message: vscode.l10n.t('Run the command "{0}" for server "{1}"?', plainLine(command, 100), server),
      detail: vscode.l10n.t(
        'The server’s configuration ({0}) uses what the command gives. You are asked once, and again when the configuration of this server changes.',
        plainLine(place),
      ),
    };
    return (await askModal(text, [run], signal)) === run;
  }

  async run(command: string, args: unknown): Promise<unknown> {
    return vscode.commands.executeCommand(command, ...(args === undefined ? [] : [args]));
  }
}

async function choose(
  title: string,
  placeHolder: string,
  { options, default: preset }: { options: readonly { label: string; value: string }[]; default?: string },
  signal: AbortSignal,
): Promise<string | undefined> {
  // What is chosen unless one moves stands first.
  const sorted = [...options].sort((a, b) => Number(b.value === preset) - Number(a.value === preset));
  const items = sorted.map(({ label, value }) => ({
    label: inertLine(label),
    description: label === value ? undefined : inertLine(value),
    value,
  }));
  const frame = { title, placeHolder, ignoreFocusOut: true };
  return (await untilAborted(signal, (token) => vscode.window.showQuickPick(items, frame, token)))?.value;
}
