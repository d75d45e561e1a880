import * as vscode from 'vscode';
import { ConsentNeeded } from '../connection/consentNeeded';
import { InputNeeded } from '../connection/inputNeeded';
import { SignInNeeded } from '../connection/signInNeeded';
import { commandIds } from '../ids';

/** What a server waits for that a person has to give. Also a word of the `contextValue` of its node. */
export type Need = 'signIn' | 'input' | 'consent';

const warning = new vscode.ThemeColor('list.warningForeground');

/** How each need looks, and what a click on it does. */
export const needs: Record<Need, { icon: vscode.ThemeIcon; command: string; words(): string; title(): string }> = {
  signIn: {
    icon: new vscode.ThemeIcon('key', warning),
    command: commandIds.signIn,
    words: () => vscode.l10n.t('Sign-in needed'),
    title: () => vscode.l10n.t('Sign In'),
  },
  input: {
    icon: new vscode.ThemeIcon('edit', warning),
    command: commandIds.giveInput,
    words: () => vscode.l10n.t('Input needed'),
    title: () => vscode.l10n.t('Enter Input'),
  },
  consent: {
    icon: new vscode.ThemeIcon('shield', warning),
    command: commandIds.allow,
    words: () => vscode.l10n.t('Not allowed yet'),
    title: () => vscode.l10n.t('Allow…'),
  },
};

/** What would make it go on after an error; `undefined` where it is no such error. */
export function needOf(error: unknown): Need | undefined {
  if (error instanceof ConsentNeeded) {
    return 'consent';
  }
  return error instanceof SignInNeeded ? 'signIn' : error instanceof InputNeeded ? 'input' : undefined;
}
