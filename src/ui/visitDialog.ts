import * as vscode from 'vscode';
import type { InputAnswer, UrlRequest } from '../connection/inputRequest';
import { inertLine, plainLine } from './plainText';
import { askModal, showStep, type StepFrame } from './quickSteps';

/** Opens an address outside the editor; false when it was not opened. */
export type OpenAddress = (url: string) => Thenable<boolean>;

/**
 * Asks whether an address may be opened (specification: client/elicitation, URL mode): shown whole, its host apart, never
 * fetched, and only in the person's browser. Then waits until the visit is done, where the server does not.
 */
export async function askVisit(request: UrlRequest, open: OpenAddress, signal: AbortSignal): Promise<InputAnswer> {
  // Normalised: what is shown is what is opened, with a host of foreign letters in Punycode.
  const { protocol, host, href } = new URL(request.url);
  const server = plainLine(request.serverId, 40);
  if (protocol !== 'https:' && protocol !== 'http:') {
    void vscode.window.showWarningMessage(
      vscode.l10n.t(
        'Server "{0}" asks to open {1}. Only http and https addresses are opened.',
        inertLine(server),
        inertLine(href),
      ),
    );
    return { action: 'cancel' };
  }
  const yes = vscode.l10n.t('Open in Browser');
  const no = vscode.l10n.t('Decline');
  const text = {
    message: vscode.l10n.t('Server "{0}" asks you to visit {1}', server, host),
    detail: [
      plainLine(request.message, 2000),
      vscode.l10n.t('Address: {0}', plainLine(href, 4000)),
      ...(protocol === 'http:' ? [vscode.l10n.t('The connection to this address is not encrypted.')] : []),
    ].join('\n\n'),
  };
  const chosen = await askModal(text, [yes, no], signal);
  if (chosen !== yes) {
    return { action: chosen === no ? 'decline' : 'cancel' };
  }
  if (!(await open(href))) {
    return { action: 'cancel' };
  }
  return request.waitsForVisit ? waitForVisit({ ...request, url: href }, host, open, signal) : { action: 'accept' };
}

async function waitForVisit(
  { serverId, url, completed }: UrlRequest,
  host: string,
  open: OpenAddress,
  signal: AbortSignal,
): Promise<InputAnswer> {
  const pick = vscode.window.createQuickPick();
  const done = { label: vscode.l10n.t('$(check) Continue'), detail: vscode.l10n.t('I am done in the browser.') };
  const again = { label: vscode.l10n.t('$(link-external) Open the Address Again') };
  pick.placeholder = vscode.l10n.t('Continue when you are done at {0}', inertLine(host));
  pick.items = [done, again];
  const title = vscode.l10n.t('Server "{0}" waits for your visit', inertLine(serverId, 40));
  const frame: StepFrame = { title, hasBack: false, canDecline: true, signal };
  const step = showStep(pick, frame, () => {
    if (pick.activeItems[0] === again) {
      void open(url);
      return undefined;
    }
    return { value: true };
  });
  const told = completed?.then(() => ({ kind: 'value' as const }));
  const result = await Promise.race([step, ...(told ? [told] : [])]);
  pick.dispose();
  return { action: result.kind === 'value' ? 'accept' : result.kind === 'decline' ? 'decline' : 'cancel' };
}
