import * as vscode from 'vscode';
import type { Finding } from '../catalog/health';
import { commandIds } from '../ids';
import { inertLine } from '../ui/plainText';

/** A finding as a person reads it: what is so, what to know or do about it, and the command that does it. */
export interface FindingWords {
  readonly label: string;
  readonly detail: string;
  readonly command?: Action;
}

type Action = keyof ReturnType<typeof titles>;

/** A finding in plain words. */
export function findingWords(finding: Finding): FindingWords {
  const { t } = vscode.l10n;
  switch (finding.kind) {
    case 'hidden':
      return {
        label: t('The server is hidden.'),
        detail: t('“Show Hidden Servers…” brings it back.'),
        command: commandIds.showHidden,
      };
    case 'broken':
      return {
        label: t('Its entry in the configuration cannot be used.'),
        detail: said(finding.words),
        command: commandIds.openDefinition,
      };
    case 'refused':
      return { label: t('Nothing may be started here.'), detail: said(finding.words) };
    case 'notConnected':
      return {
        label: t('It is not connected.'),
        detail: t('It connects when you expand it, start it or open one of its documents.'),
        command: commandIds.start,
      };
    case 'connecting':
      return { label: t('It is being connected.'), detail: t('Some servers take long to start the first time.') };
    case 'stopped':
      return {
        label: t('It was stopped.'),
        detail: t('Start it to see its resources.'),
        command: commandIds.start,
      };
    case 'failed':
      return { label: t('The connection failed.'), detail: said(finding.words), command: commandIds.showLog };
    case 'retry':
      return {
        label: t('It can be tried again.'),
        detail: t('What was wrong may be mended by now.'),
        command: commandIds.start,
      };
    case 'signIn':
      return { label: t('You are not signed in.'), detail: said(finding.words), command: commandIds.signIn };
    case 'consent':
      return { label: t('You have not allowed it to start.'), detail: said(finding.words), command: commandIds.allow };
    case 'input':
      return { label: t('It needs an answer of yours.'), detail: said(finding.words), command: commandIds.giveInput };
    case 'portInUse':
      return {
        label: t('A port that it needs is taken, maybe by another process of the same server.'),
        detail: said(finding.words),
        command: commandIds.showLog,
      };
    case 'locked':
      return {
        label: t('A file that it needs is locked, maybe by another process of the same server.'),
        detail: said(finding.words),
        command: commandIds.showLog,
      };
    case 'noCapability':
      return {
        label: t('This server offers no resources.'),
        detail: t('It may offer tools or prompts, which are used in chat and not shown here.'),
      };
    case 'resourcesFailed':
      return {
        label: t('The list of resources failed.'),
        detail: said(finding.words),
        command: commandIds.refresh,
      };
    case 'templatesFailed':
      return {
        label: t('The list of templates failed.'),
        detail: said(finding.words),
        command: commandIds.refresh,
      };
    case 'listing':
      return { label: t('The list is still on its way.'), detail: t('Long lists arrive page by page.') };
    case 'notListed':
      return {
        label: t('Its resources were not asked for yet.'),
        detail: t('Expand the server, or refresh it.'),
        command: commandIds.refresh,
      };
    case 'empty':
      return {
        label: t('The server lists no resources now.'),
        detail:
          finding.templates > 0
            ? t('But it offers templates ({0}): fill one in to read what it stands for.', finding.templates)
            : t('Some servers list resources only after something was done with their tools.'),
      };
    case 'unusable':
      return {
        label: t('Entries of its lists that could not be understood: {0}.', finding.count),
        detail: t('The log and the view say which, and why.'),
        command: commandIds.showLog,
      };
    case 'filtered':
      return {
        label: t(
          'A filter leaves out resources: {0} of {1} are shown.',
          finding.shown.toLocaleString(),
          finding.total.toLocaleString(),
        ),
        detail: t('“Clear Filter” shows all that the setting mcpResources.serverFilters lets through.'),
        command: commandIds.clearFilter,
      };
    case 'noSubscribe':
      return {
        label: t('The server does not tell when a resource changes.'),
        detail: finding.polled
          ? t('What you see is read again from time to time (mcpResources.pollInterval).')
          : t('Refresh to see what is new, or have it read from time to time by mcpResources.pollInterval.'),
      };
    case 'subscribeRefused':
      return {
        label: t('The server refuses to tell when some resources change: {0}.', finding.count),
        detail: t('Refresh those documents to see what is new. Restarting the server asks it again.'),
        command: commandIds.restart,
      };
    case 'streamEnded':
      return {
        label: t('The server has ended its stream of updates.'),
        detail: t('It is opened anew when you refresh a document, or open or close one.'),
      };
    case 'noStream':
      return {
        label: t('There is no stream by which the server could tell anything.'),
        detail: t('It does not offer one, or it broke. Refresh to see what is new.'),
        command: commandIds.showLog,
      };
    case 'streamWaiting':
      return {
        label: t('The stream of updates is not open yet.'),
        detail: t('Until it is, refresh to see what is new.'),
      };
    case 'nothingOpen':
      return {
        label: t('No resource of it is open.'),
        detail: t('The server tells of changes only for what is open.'),
      };
    case 'noListChanged':
      return {
        label: t('The server does not tell when its list changes.'),
        detail: t('Refresh the server to list anew.'),
        command: commandIds.refresh,
      };
    case 'otherProcess':
      return {
        label: t('VS Code may run a process of its own of this server.'),
        detail: t('What is done there, in chat for example, may not show here.'),
      };
    case 'era':
      return {
        label: t('It speaks version {0} of the protocol.', inertLine(finding.version)),
        detail:
          finding.era === 'modern'
            ? t('All updates arrive by one stream.')
            : t('For each open resource the server is asked to tell when it changes.'),
      };
  }
}

/** What the command of a finding is called. */
export function actionTitle(command: Action): string {
  return titles()[command];
}

function titles() {
  const { t } = vscode.l10n;
  return {
    [commandIds.allow]: t('Allow…'),
    [commandIds.clearFilter]: t('Clear Filter'),
    [commandIds.giveInput]: t('Enter Input…'),
    [commandIds.openDefinition]: t('Open Configuration'),
    [commandIds.refresh]: t('Refresh'),
    [commandIds.restart]: t('Restart Server'),
    [commandIds.showHidden]: t('Show Hidden Servers…'),
    [commandIds.showLog]: t('Show Log'),
    [commandIds.signIn]: t('Sign In…'),
    [commandIds.start]: t('Start Server'),
  };
}

function said(words: string): string {
  return inertLine(words, 300);
}
