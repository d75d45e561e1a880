// What a server says is never trusted: control, bidirectional and zero-width characters and icon syntax do nothing.
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;

/** A part of a server's text for a label: what cannot be seen becomes a space, and so does each stretch of white space. */
export function plainPiece(text: string): string {
  return text.replace(UNSEEN, ' ').replace(/\s+/gu, ' ');
}

/** A server's text in one line for labels and messages: what cannot be seen becomes a space; cut to `limit` characters. */
export function plainLine(text: string, limit = 200): string {
  const line = plainPiece(text.slice(0, limit * 4)).trim();
  // By code points: half of a surrogate pair must not be left.
  const characters = Array.from(line);
  return characters.length > limit ? `${characters.slice(0, limit - 1).join('')}…` : line;
}
