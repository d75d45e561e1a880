import type { Completion } from '../connection/wire';

/**
 * The one suggestion that a typed text can only have meant: no other begins with it, whatever the case. `undefined` where
 * there are more than the answer holds, or the text is itself suggested.
 */
export function soleSuggestion(text: string, { values, total = 0, hasMore }: Completion): string | undefined {
  if (text === '' || hasMore || total > values.length) {
    return undefined;
  }
  const typed = text.toLowerCase();
  const [first, ...others] = new Set(values.filter((value) => value.toLowerCase().startsWith(typed)));
  return others.length === 0 && first !== text ? first : undefined;
}
