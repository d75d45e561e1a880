import * as vscode from 'vscode';
import type { UsedSettings } from '../config/definitionPrint';
import type { ServerDefinition } from '../config/serverDefinition';
import type { ConsentHost, ConsentRequest } from '../connection/consent';
import { consentWords } from './consentWords';
import { openDefinition } from './openDefinition';
import { plainLine } from './plainText';
import { askModal } from './quickSteps';
import { setting } from './settings';

/** Asks the person in front of the editor what may start. What was said is kept outside of every workspace. */
export class ConsentDialog implements ConsentHost {
  /** `memory` is the editor's `globalState`. */
  constructor(
    readonly memory: vscode.Memento,
    readonly environment: ConsentHost['environment'],
  ) {}

  settings(names: readonly string[], { source }: ServerDefinition): UsedSettings {
    return Object.fromEntries(names.map((name) => [name, setting(name, source.folder?.path)]));
  }

  async ask(request: ConsentRequest, signal: AbortSignal): Promise<boolean> {
    const { definition } = request;
    const allow = vscode.l10n.t('Allow');
    const show = vscode.l10n.t('Show Configuration');
    const name = plainLine(definition.id, 60);
    const message =
      definition.launch?.type === 'stdio'
        ? vscode.l10n.t('Allow server "{0}" to run this program?', name)
        : vscode.l10n.t('Allow a connection to server "{0}"?', name);
    const chosen = await askModal({ message, detail: consentWords(request) }, [allow, show], signal);
    if (chosen === show) {
      await openDefinition(definition);
    }
    return chosen === allow;
  }
}
