/**
 * Code points that a person cannot see or that reorder what is seen: controls, bidi marks, zero-width and
 * tag characters, non-characters. A fixed list, not `\p{C}`: an escape must not change with the runtime's Unicode.
 */
const hidden =
  '\\u034f\\u17b4\\u17b5\\u180b-\\u180f\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u061c\\u115f\\u1160\\u200b-\\u200f' +
  '\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ufeff\\uffa0\\ufff0-\\uffff\\u{e0000}-\\u{e0fff}';

/** One character that is invisible or reorders text, or half of a surrogate pair. Global. */
export const hiddenCharacters = new RegExp(`[${hidden}\\ud800-\\udfff]`, 'gu');

// `%` would be decoded by `Uri.parse(uri.toString(true))`, `\` becomes `/` on Windows, half a surrogate pair makes
// `toString` throw, `.` and `..` are normalised away. `~` is ours: `vscode.Uri` leaves it alone in every form.
const escaped = new RegExp(`%[0-9A-Fa-f]{2}|[${hidden}\\ud800-\\udfff%~\\\\/]|^\\.(?=\\.?$)`, 'gu');
const escapes = /~(?:u([0-9a-f]{4})|([0-9A-Fa-f]{2}))/g;

/** Text as part of a path segment: `%20` becomes `~20`, any other unsafe UTF-16 unit `~u` and four digits. */
export function escapeText(text: string): string {
  return text.replace(escaped, (match) => (match.length === 3 ? `~${match.slice(1)}` : escapeUnits(match)));
}

/** The inverse of `escapeText`. */
export function unescapeText(text: string): string {
  return text.replace(escapes, (_match, unit: string | undefined, octet: string | undefined) =>
    unit === undefined ? `%${octet}` : String.fromCharCode(parseInt(unit, 16)),
  );
}

/**
 * A part of a URI between two slashes as a path segment. A trailing `~` says "percent-encoded in the URI":
 * `My%20Notes` is shown as `My Notes~`, the empty part as `~`; what that form cannot give back exactly is escaped.
 */
export function encodeSegment(part: string): string {
  const readable = percentDecoded(part);
  return readable === undefined ? escapeText(part) : `${readable}~`;
}

/** The inverse of `encodeSegment`. */
export function decodeSegment(segment: string): string {
  return segment.endsWith('~') ? encodeURIComponent(segment.slice(0, -1)) : unescapeText(segment);
}

function percentDecoded(part: string): string | undefined {
  if (part !== '' && !part.includes('%')) {
    return undefined;
  }
  try {
    const text = decodeURIComponent(part);
    return encodeURIComponent(text) === part && escapeText(text) === text ? text : undefined;
  } catch {
    return undefined; // not UTF-8, or half a surrogate pair
  }
}

function escapeUnits(character: string): string {
  let result = '';
  for (let index = 0; index < character.length; index++) {
    result += `~u${character.charCodeAt(index).toString(16).padStart(4, '0')}`;
  }
  return result;
}
