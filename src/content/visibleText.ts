import { hiddenCharacters } from './segmentEscape';

/** Text with every character that is unseen, reorders what is seen or ends a line written as `\u{…}`. */
export function visibleText(text: string): string {
  return text.replace(hiddenCharacters, (sign) => `\\u{${sign.codePointAt(0)!.toString(16).toUpperCase()}}`);
}
