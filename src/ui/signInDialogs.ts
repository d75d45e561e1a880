import * as vscode from 'vscode';
import type { EditorSession, SecretStore } from '../connection/credentialVault';
import type { ClientAnswer, SignInHost, SignInRequest } from '../connection/signInHost';
import { openAddress } from './openAddress';
import { inertLine, plainLine } from './plainText';
import { askModal, askText } from './quickSteps';
import { secretStore } from './secretStore';
import { clientMetadataUrl } from './settings';

/** Signs the person in front of the editor in: asked once, then in the browser, or by a session of the editor's own. */
export class SignInDialogs implements SignInHost {
  readonly store: SecretStore;
  readonly clientMetadataUrl = clientMetadataUrl;

  constructor(secrets: vscode.SecretStorage) {
    this.store = secretStore(secrets);
  }

  async choose(request: SignInRequest, signal: AbortSignal): Promise<'browser' | 'editor' | undefined> {
    const server = plainLine(request.serverId, 40);
    const serverHost = new URL(request.serverUrl).host;
    const editor = request.editorSession && accountName(request.editorSession);
    const inBrowser = vscode.l10n.t('Sign In in Browser');
    const byEditor = editor && vscode.l10n.t('Use VS Code’s {0} Account', editor);
    const chosen = await askModal(
      {
        message: vscode.l10n.t('Sign in to server "{0}"?', server),
        detail: [
          vscode.l10n.t('{0} asks you to sign in at {1}. This page opens in your browser.', serverHost, request.page),
          ...(request.page.startsWith('http:')
            ? [vscode.l10n.t('The connection to this address is not encrypted.')]
            : []),
          ...(request.scopes.length > 0
            ? [vscode.l10n.t('Rights it asks for: {0}', plainLine(request.scopes.join(', '), 500))]
            : []),
          ...(editor ? [vscode.l10n.t('With VS Code’s {0} account, {1} receives its token.', editor, serverHost)] : []),
        ].join('\n\n'),
      },
      [inBrowser, ...(byEditor ? [byEditor] : [])],
      signal,
    );
    return chosen === undefined ? undefined : chosen === inBrowser ? 'browser' : 'editor';
  }

  async askClient(
    request: SignInRequest & { readonly clientId?: string; readonly redirectUrl: string },
    signal: AbortSignal,
  ): Promise<ClientAnswer | undefined> {
    const issuer = inertLine(new URL(request.issuer).host, 60);
    const clientId =
      request.clientId ??
      (await askText(signal, {
        title: vscode.l10n.t('Client ID for {0}', issuer),
        prompt: vscode.l10n.t(
          '{0} registers no clients by itself. Register one there that returns to {1}, and enter its id.',
          issuer,
          inertLine(request.redirectUrl),
        ),
      }));
    if (!clientId) {
      return undefined;
    }
    const clientSecret = await askText(signal, {
      title: vscode.l10n.t('Client Secret for {0}', issuer),
      prompt: vscode.l10n.t('The secret of the client {0}; leave it empty where there is none.', inertLine(clientId)),
      password: true,
    });
    return clientSecret === undefined ? undefined : { clientId, clientSecret: clientSecret || undefined };
  }

  async returnAddress(local: string): Promise<string> {
    const before = vscode.Uri.parse(local);
    const after = await vscode.env.asExternalUri(before);
    return after.toString() === before.toString() ? local : after.toString(true);
  }

  async visit<T>(
    request: SignInRequest,
    url: string,
    wait: (signal: AbortSignal) => Promise<T>,
  ): Promise<T | undefined> {
    const abort = new AbortController();
    const title = vscode.l10n.t(
      'Waiting for you to sign in to "{0}" in the browser, at {1} …',
      inertLine(request.serverId, 40),
      inertLine(new URL(request.page).host),
    );
    const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
    return vscode.window.withProgress(options, async (_progress, token) => {
      token.onCancellationRequested(() => abort.abort());
      const answer = wait(abort.signal).catch((error: unknown) => {
        if (abort.signal.aborted) {
          return undefined;
        }
        throw error;
      });
      if (!(await openAddress(url))) {
        abort.abort();
      }
      return answer;
    });
  }

  async editorToken({ provider, scopes }: EditorSession, how: 'silent' | 'ask' | 'anew'): Promise<string | undefined> {
    const options = { silent: { silent: true }, ask: { createIfNone: true }, anew: { forceNewSession: true } }[how];
    try {
      return (await vscode.authentication.getSession(provider, scopes, options))?.accessToken;
    } catch {
      // A person said no, or there is no such provider here.
      return undefined;
    }
  }
}

function accountName({ provider }: EditorSession): string {
  return provider === 'github' ? 'GitHub' : 'Microsoft';
}
