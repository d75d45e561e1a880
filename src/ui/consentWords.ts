import { homedir } from 'node:os';
import { isAbsolute, resolve } from 'node:path';
import * as vscode from 'vscode';
import { disguisedHost, reachOf } from '../config/addressReach';
import type { ChangedVariables, FileVariables, UsedSettings } from '../config/definitionPrint';
import { decidesWhatRuns } from '../config/decidingVariables';
import { type HttpLaunch, isOfWorkspace, type ServerDefinition, type StdioLaunch } from '../config/serverDefinition';
import type { ConsentRequest } from '../connection/consent';
import { type ConsentReason, partWords } from '../connection/consentNeeded';
import type { EnvironmentNames } from '../connection/environmentNames';
import { SECRET_NAMES } from '../connection/configuredSecrets';
import { MASK } from '../connection/secrets';
import { visibleText } from '../content/visibleText';
import { plainLine } from './plainText';

/** More of one line is left out in its middle, and said to be. Characters. */
const LONGEST = 1500;
/** Of very many values the first are shown, and that there are more. */
const MOST_VALUES = 10;

/** What a person reads before a server may start: all that would run or be contacted, and names in place of secrets. */
export function consentWords({ definition, reason, settings, environment }: ConsentRequest): string {
  const { launch, source } = definition;
  const lines = [
    ...reasonLines(
      reason,
      environment,
      isOfWorkspace(source) || Object.values(settings).some(({ ofWorkspace }) => ofWorkspace),
    ),
    ...(launch?.type === 'stdio' ? processLines(launch, definition, environment) : launch ? addressLines(launch) : []),
    ...settingLines(settings),
    vscode.l10n.t('Configured in: {0}', plainLine(source.label)),
  ];
  return lines.join('\n');
}

/** Of the person's own nobody asks before they change. */
function reasonLines(reason: ConsentReason, environment: ConsentRequest['environment'], wasAsked: boolean): string[] {
  if (reason.kind !== 'changed') {
    return [];
  }
  const parts = partWords(reason.parts);
  return [
    wasAsked
      ? vscode.l10n.t('Changed since you allowed it: {0}.', parts)
      : vscode.l10n.t('Changed since it was last used: {0}.', parts),
    ...(environment && 'names' in environment ? changeLines(reason.variables, environment) : []),
    '',
  ];
}

/** What is new in the environment file, first what decides what runs. */
function changeLines(changed: ChangedVariables | undefined, { deciding }: FileVariables): string[] {
  const fresh = changed?.fresh ?? [];
  const values = fresh.flatMap((name) => (Object.hasOwn(deciding, name) ? [assignment(name, deciding[name])] : []));
  const all = [...values, ...fresh.filter((name) => !Object.hasOwn(deciding, name))];
  return [
    ...(all.length > 0 ? [vscode.l10n.t('New or changed in the environment file: {0}', whole(all.join(', ')))] : []),
    ...(changed?.someGone ? [vscode.l10n.t('Some variables are no longer set in the environment file.')] : []),
  ];
}

function processLines(
  { command, args, cwd, env, envFile }: StdioLaunch,
  { source }: ServerDefinition,
  environment: ConsentRequest['environment'],
): string[] {
  const base = source.folder?.path ?? homedir();
  // What begins with a variable is shown as it is written.
  const folder = cwd === undefined || isAbsolute(cwd) || /^[~$]/.test(cwd) ? (cwd ?? base) : resolve(base, cwd);
  const names = Object.keys(env);
  return [
    vscode.l10n.t('Command: {0}', whole(argument(command))),
    ...(args.length > 0 ? [vscode.l10n.t('Arguments: {0}', whole(args.map(argument).join(' ')))] : []),
    vscode.l10n.t('Folder: {0}', whole(folder)),
    ...(names.length > 0 ? [vscode.l10n.t('Environment variables: {0}', whole(names.join(', ')))] : []),
    ...decidingLines(
      Object.entries(env).filter(([name]) => decidesWhatRuns(name) && !SECRET_NAMES.test(name)),
      (words) => vscode.l10n.t('Environment variable that decides what runs: {0}', words),
    ),
    ...(envFile === undefined ? [] : [vscode.l10n.t('Environment file: {0}', whole(envFile))]),
    ...(environment ? fileLines(environment) : []),
  ];
}

/** Names alone, as the values are secrets as a rule, but for what decides what runs. */
function fileLines(environment: EnvironmentNames): string[] {
  if ('lack' in environment) {
    return [vscode.l10n.t('Variables in that file: not known. {0}', whole(environment.lack))];
  }
  const { names, deciding } = environment;
  return [
    vscode.l10n.t('Variables in that file: {0}', whole(names.join(', ')) || vscode.l10n.t('none')),
    ...decidingLines(Object.entries(deciding), (words) =>
      vscode.l10n.t('Variable in that file that decides what runs: {0}', words),
    ),
  ];
}

/** The buttons have to stay in sight, whatever there is. */
function decidingLines(
  all: readonly (readonly [name: string, value: string | number | null])[],
  line: (words: string) => string,
): string[] {
  const more = all.length - MOST_VALUES;
  return [
    ...all.slice(0, MOST_VALUES).map(([name, value]) => line(setWords(name, value))),
    ...(more > 0
      ? [vscode.l10n.t('{0} more that decide what runs are not shown here.', more.toLocaleString(vscode.env.language))]
      : []),
  ];
}

function setWords(name: string, value: string | number | null): string {
  return value === null ? vscode.l10n.t('{0} is removed', whole(name)) : whole(assignment(name, value));
}

function assignment(name: string, value: unknown): string {
  // An address may hold a password.
  return `${name}=${argument(String(value).replace(/(:\/\/)[^/@\s]*@/gu, `$1${MASK}@`))}`;
}

function addressLines({ url, headers, oauth }: HttpLaunch): string[] {
  const reach = reachOf(url);
  const host = disguisedHost(url);
  const names = Object.keys(headers);
  return [
    vscode.l10n.t('Address: {0}', whole(url)),
    ...(host === undefined ? [] : [vscode.l10n.t('This address leads to {0}.', whole(host))]),
    ...(reach === undefined ? [vscode.l10n.t('Where it leads depends on variables.')] : []),
    ...(reach === 'loopback' ? [vscode.l10n.t('This is an address of the computer that the extension runs on.')] : []),
    ...(reach === 'private' ? [vscode.l10n.t('This is an address of a private network.')] : []),
    ...(reach !== 'loopback' && url.startsWith('http:')
      ? [vscode.l10n.t('The connection to this address is not encrypted.')]
      : []),
    ...(names.length > 0 ? [vscode.l10n.t('Headers: {0}', whole(names.join(', ')))] : []),
    ...(oauth ? [vscode.l10n.t('Client id to sign in with: {0}', whole(oauth.clientId))] : []),
  ];
}

function settingLines(settings: UsedSettings): string[] {
  return Object.entries(settings).map(([name, { value, ofWorkspace }]) =>
    ofWorkspace
      ? vscode.l10n.t('Setting {0} of the workspace: {1}', plainLine(name), whole(value ?? ''))
      : vscode.l10n.t('Setting {0}: {1}', plainLine(name), whole(value ?? '')),
  );
}

/** As it would be typed, so that one cannot pass for two, or for none. */
function argument(text: string): string {
  if (/^[^\s"'\\]+$/.test(text) && visibleText(text) === text) {
    return text;
  }
  // Several spaces would be shown as one.
  return JSON.stringify(text).replace(/ {2,}/gu, (spaces) => '\\u0020'.repeat(spaces.length));
}

/** Of what is too long both ends are shown: what matters may stand at either. */
function whole(text: string): string {
  const shown = visibleText(text);
  if (shown.length <= LONGEST) {
    return plainLine(shown, LONGEST);
  }
  const half = LONGEST / 2;
  return vscode.l10n.t(
    '{0} … {1} ({2} characters in all: the configuration shows them)',
    plainLine(shown.slice(0, half), half),
    plainLine(shown.slice(-half), half),
    text.length.toLocaleString(vscode.env.language),
  );
}
