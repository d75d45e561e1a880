import * as vscode from 'vscode';
import type { Log } from './base/log';
import type { ConnectionHost } from './connection/connectionHost';
import { launchTarget, thisMachine } from './connection/launchTarget';
import { LaunchVariables } from './connection/launchVariables';
import { InputDialogs } from './ui/inputDialogs';
import { listsAnyway, readTimeoutMs, sharedRoots, startTimeoutMs } from './ui/settings';
import { SignInDialogs } from './ui/signInDialogs';
import { VariableDialogs } from './ui/variableDialogs';

/** What connections need of the editor and of this machine. */
export interface EditorHost {
  readonly host: ConnectionHost;
  readonly variables: LaunchVariables;
  /** The extension's own version. */
  readonly version: string;
  refusal(this: void): string | undefined;
}

export function editorHost(context: vscode.ExtensionContext, logFor: (serverId: string) => Log): EditorHost {
  const { version } = context.extension.packageJSON as { version: string };
  const variables = new LaunchVariables(new VariableDialogs(context.secrets));
  const refusal = (): string | undefined =>
    vscode.workspace.isTrusted ? undefined : vscode.l10n.t('This workspace is not trusted, so no server is contacted.');
  const host: ConnectionHost = {
    refusal,
    target: async (definition, by) =>
      launchTarget(definition, { ...thisMachine(), ...(await variables.of(definition, by)) }),
    startTimeoutMs,
    requestTimeoutMs: readTimeoutMs,
    listsAnyway,
    input: new InputDialogs(),
    signIn: new SignInDialogs(context.secrets),
    sharedRoots,
    clientVersion: version,
    logFor,
  };
  return { host, variables, version, refusal };
}
