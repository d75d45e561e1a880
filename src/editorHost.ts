import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Log } from './base/log';
import type { ConnectionHost } from './connection/connectionHost';
import { Consent } from './connection/consent';
import { environmentNames } from './connection/environmentNames';
import { EraMemory } from './connection/eraMemory';
import { launchTarget, thisMachine } from './connection/launchTarget';
import { LaunchVariables } from './connection/launchVariables';
import { Reaper } from './connection/reaper';
import { ConsentDialog } from './ui/consentDialog';
import { InputDialogs } from './ui/inputDialogs';
import { listsAnyway, readTimeoutMs, sharedRoots, startTimeoutMs } from './ui/settings';
import { SignInDialogs } from './ui/signInDialogs';
import { VariableDialogs } from './ui/variableDialogs';

/** What connections need of the editor and of this machine. */
export interface EditorHost {
  readonly host: ConnectionHost;
  readonly variables: LaunchVariables;
  readonly consent: Consent;
  /** The extension's own version. */
  readonly version: string;
  readonly reaper: Reaper;
  refusal(this: void): string | undefined;
}

export function editorHost(context: vscode.ExtensionContext, log: Log, logFor: (serverId: string) => Log): EditorHost {
  const { version } = context.extension.packageJSON as { version: string };
  const variables = new LaunchVariables(new VariableDialogs(context.secrets));
  const consent = new Consent(
    new ConsentDialog(context.globalState, (definition) => environmentNames(definition, variables)),
  );
  const refusal = (): string | undefined =>
    vscode.workspace.isTrusted ? undefined : vscode.l10n.t('This workspace is not trusted, so no server is contacted.');
  const reaper = new Reaper(join(context.extensionPath, 'dist', 'reaper.js'), log);
  const host: ConnectionHost = {
    refusal,
    consent: (...how) => consent.require(...how),
    target: async (definition, by) =>
      launchTarget(definition, { ...thisMachine(), ...(await variables.of(definition, by)) }),
    startTimeoutMs,
    requestTimeoutMs: readTimeoutMs,
    listsAnyway,
    input: new InputDialogs(),
    signIn: new SignInDialogs(context.secrets),
    sharedRoots,
    clientVersion: version,
    eras: new EraMemory(context.globalState),
    groups: reaper,
    logFor,
  };
  return { host, variables, consent, version, reaper, refusal };
}
