import { plainLine } from '../ui/plainText';

/** Text as Markdown that shows it and does nothing: no link, no icon, no heading, whatever a server wrote. */
export function inertMarkdown(text: string, limit = 1000): string {
  return plainLine(text, limit).replace(/[!-/:-@[-`{-~]/gu, '\\$&');
}

/** A label for a link to a document. The editor makes Markdown of it without escaping: what could end it is taken out. */
export function anchorLabel(text: string): string {
  return plainLine(text.replace(/[[\]\\`<>&$]/gu, ' '), 120) || '…';
}
