import * as vscode from 'vscode';

/** An estimate of tokens in few signs: "~12k tokens". */
export function tokenWords(tokens: number): string {
  const short =
    tokens < 1000
      ? String(tokens)
      : new Intl.NumberFormat(vscode.env.language, {
          notation: 'compact',
          maximumSignificantDigits: 2,
        }).format(tokens);
  if (tokens === 1) {
    return vscode.l10n.t('~1 token');
  }
  return vscode.l10n.t('~{0} tokens', short.toLowerCase());
}
