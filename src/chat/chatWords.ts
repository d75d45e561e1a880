import * as vscode from 'vscode';
import { inertLine } from '../ui/plainText';

/** Text as text: whatever Markdown stands in it does nothing. Not even a bare address becomes a link. */
export function plainMarkdown(text: string): vscode.MarkdownString {
  const markdown = new vscode.MarkdownString(undefined, false);
  markdown.isTrusted = false;
  markdown.supportHtml = false;
  return markdown.appendText(inertLine(text, 1000).replace(/\b(?:https?|ftp):(?=\/\/)|\bwww(?=\.)|@/giu, '$&\u2060'));
}

/** A label for a link to a document. The editor makes Markdown of it without escaping: what could end it is taken out. */
export function anchorLabel(text: string): string {
  return (
    inertLine(text, 120)
      .replace(/[[\]\\`<>&]/gu, ' ')
      .replace(/ +/gu, ' ')
      .trim() || '…'
  );
}
