import * as vscode from 'vscode';
import type { SearchQuery } from '../content/textSearch';

const KEY = 'mcpResources.search';
/** Longer texts are not what one looks for. Characters. */
const LONGEST = 200;

/** Asks for the text to search for, with what was asked last in the box; `undefined` when the box was dismissed. */
export async function askSearch(title: string, memory: vscode.Memento): Promise<SearchQuery | undefined> {
  const query = await showBox(title, rememberedQuery(memory));
  if (query) {
    await memory.update(KEY, query);
  }
  return query;
}

function rememberedQuery(memory: vscode.Memento): SearchQuery {
  const { text, matchCase, wholeWord } = Object(memory.get(KEY)) as Record<string, unknown>;
  return { text: typeof text === 'string' ? text : '', matchCase: matchCase === true, wholeWord: wholeWord === true };
}

type Toggle = Exclude<keyof SearchQuery, 'text'>;

function showBox(title: string, last: SearchQuery): Promise<SearchQuery | undefined> {
  const box = vscode.window.createInputBox();
  const chosen = { matchCase: last.matchCase, wholeWord: last.wholeWord };
  const names: Record<Toggle, string> = {
    matchCase: vscode.l10n.t('Match Case'),
    wholeWord: vscode.l10n.t('Match Whole Word'),
  };
  const icons: Record<Toggle, string> = { matchCase: 'case-sensitive', wholeWord: 'whole-word' };
  const toggles = Object.keys(names) as Toggle[];
  // A button cannot look pressed: what is on is said in words.
  const showToggles = (): void => {
    box.buttons = toggles.map((toggle) => ({
      iconPath: new vscode.ThemeIcon(icons[toggle]),
      tooltip: chosen[toggle] ? vscode.l10n.t('{0}: on', names[toggle]) : vscode.l10n.t('{0}: off', names[toggle]),
    }));
    const on = toggles.filter((toggle) => chosen[toggle]).map((toggle) => names[toggle]);
    box.prompt =
      on.length > 0
        ? vscode.l10n.t('Plain text. On: {0}.', on.join(', '))
        : vscode.l10n.t('Plain text, in upper or lower case.');
  };
  box.title = title;
  box.value = last.text;
  box.placeholder = vscode.l10n.t('Text to search for');
  showToggles();
  return new Promise((resolve) => {
    box.onDidTriggerButton((button) => {
      const toggle = toggles[box.buttons.indexOf(button)];
      if (toggle) {
        chosen[toggle] = !chosen[toggle];
        showToggles();
      }
    });
    box.onDidChangeValue((value) => {
      box.validationMessage =
        value.length > LONGEST ? vscode.l10n.t('At most {0} characters can be searched for.', LONGEST) : undefined;
    });
    box.onDidAccept(() => {
      const text = box.value;
      if (text !== '' && text.length <= LONGEST) {
        resolve({ text, ...chosen });
        box.hide();
      }
    });
    box.onDidHide(() => {
      resolve(undefined);
      box.dispose();
    });
    box.show();
  });
}
