/**
 * The document URI of a resource: a readable path that gives back server, URI and file name byte for byte.
 *
 *     <scheme>://<kind><check>/<server>/[<form>/]<the URI's parts>/<file name>
 *
 *     docs://api/users.md on "docs"  → /docs/docs/api/users.md
 *     docs://api/users, users.md     → /docs/docs:/api/users.md      (the colon: the extension is not the URI's)
 *     memo:today, today.txt          → /docs/~n/memo:today/today.txt
 *
 * The path alone is the identity. The authority (lower case, never shown by the editor) holds a check sum of the
 * path, so that a path which an editor merely guesses (`…/package.json`, a parent) is known not to be ours.
 * Room for later: another kind letter starts another format, for example a directory of parts below a resource.
 */
import { createHash } from 'node:crypto';
import { halfSurrogate } from '../base/halfSurrogate';
import { decodeSegment, encodeSegment, escapeText, unescapeText } from './segmentEscape';

/** A resource of a server under the file name that its document bears. */
export interface DocumentIdentity {
  readonly serverId: string;
  /** The server's own string, byte for byte. */
  readonly uri: string;
  /** The last segment of the path. */
  readonly fileName: string;
}

/** The parts of a document URI that carry its identity; query and fragment carry nothing. */
export interface DocumentUriParts {
  readonly authority: string;
  readonly path: string;
}

/** `r`: a resource as one document, in this file's format. */
const kind = 'r';
/**
 * More parts than this stand in one segment, their slashes escaped: the editor makes a breadcrumb of each segment, in a
 * time that grows with the square of their number. Decoding needs not know of it.
 */
const mostSegments = 64;
/** Hexadecimal digits (80 bits): enough that differently cased or normalised twins never meet. */
const checkLength = 20;
const authorityPattern = new RegExp(`^${kind}[0-9a-f]{${checkLength}}$`);
/** Says, where it is not plain, how the parts before the file name and the name make up the URI. */
const formPattern = /^~(?=.)(n|x?p?)(r?)$/;

/** The document URI's authority and path. Pure; the inverse of `decodeDocumentUri`. */
export function encodeDocumentUri({ serverId, uri, fileName }: DocumentIdentity): DocumentUriParts {
  const { parts, relative } = splitUri(uri);
  const segments = bounded(parts).map(encodeSegment);
  const last = segments.pop() ?? '';
  const naming = namingOf(last, fileName);
  if (naming === 'n') {
    segments.push(last);
  }
  let form = naming + (relative ? 'r' : '');
  if (form === 'x' && segments.length > 0 && hasScheme(parts)) {
    // By far the most frequent form: told by the colon of the scheme, so that no sign of its own stands in the path.
    form = '';
    segments[0] = `${segments[0]!}:`;
  }
  const path = [
    '',
    ...encodeServer(serverId),
    ...(form === '' ? [] : [`~${form}`]),
    ...segments,
    escapeText(fileName) || '~',
  ].join('/');
  return { authority: authorityOf(path), path };
}

/** What a document URI stands for; `undefined` when it is not one that `encodeDocumentUri` made. Never throws. */
export function decodeDocumentUri({ authority, path }: DocumentUriParts): DocumentIdentity | undefined {
  const expected = authority.toLowerCase();
  // Half a surrogate pair is never in a path of ours, and the check sum would not tell it from U+FFFD.
  if (!authorityPattern.test(expected) || halfSurrogate.test(path) || authorityOf(path) !== expected) {
    return undefined;
  }
  return decodeDocumentPath(path);
}

/** What a path would stand for if it were one of ours; nothing vouches for it, and a guess is as good as any other. */
export function decodeDocumentPath(path: string): DocumentIdentity | undefined {
  const segments = path.split('/').slice(1);
  const server = decodeServer(segments);
  const rest = segments.slice(server.length);
  const form = formPattern.exec(rest[0] ?? '');
  let naming = form?.[1] ?? '';
  const relative = form?.[2] ?? '';
  if (form) {
    rest.shift();
  } else if (rest.length > 1 && rest[0]!.endsWith(':')) {
    rest[0] = rest[0]!.slice(0, -1);
    naming = 'x';
  }
  const name = rest.pop();
  if (name === undefined) {
    return undefined;
  }
  if (naming !== 'n') {
    rest.push((naming.includes('x') ? withoutExtension(name) : name) + (naming.includes('p') ? '~' : ''));
  }
  return {
    serverId: server.id,
    uri: joinUri(rest.map(decodeSegment), relative !== ''),
    fileName: name === '~' ? '' : unescapeText(name),
  };
}

/**
 * How a URI's last segment follows from the file name, so that it is not shown twice: '' is the same, `x` without
 * the extension, `p` percent-encoded, `n` not at all.
 */
function namingOf(last: string, fileName: string): 'n' | '' | 'x' | 'p' | 'xp' {
  if (fileName === '' || escapeText(fileName) !== fileName) {
    return 'n';
  }
  const stem = withoutExtension(fileName);
  switch (last) {
    case fileName:
      return '';
    case `${fileName}~`:
      return 'p';
    case stem:
      return stem === '' ? 'n' : 'x';
    case `${stem}~`:
      return stem === '' ? 'n' : 'xp';
    default:
      return 'n';
  }
}

/** The first parts and the last, and what is too many between them as one. */
function bounded(parts: readonly string[]): readonly string[] {
  return parts.length <= mostSegments
    ? parts
    : [...parts.slice(0, mostSegments - 2), parts.slice(mostSegments - 2, -1).join('/'), parts.at(-1)!];
}

function withoutExtension(name: string): string {
  return name.slice(0, Math.max(name.lastIndexOf('.'), 0));
}

/** `scheme://a/b` → `scheme`, `a`, `b`; anything else by its slashes, `relative` where that could be mistaken for the former. */
function splitUri(uri: string): { parts: string[]; relative: boolean } {
  const parts = uri.split('/');
  const [first = '', second] = parts;
  const colon = first.indexOf(':');
  if (colon > 0 && colon === first.length - 1 && second === '' && parts.length > 2) {
    return { parts: [first.slice(0, -1), ...parts.slice(2)], relative: false };
  }
  // `foo:/bar` too: a colon at the end of the first segment means something else.
  const mistakable = first !== '' && (colon < 0 || first.endsWith(':'));
  return { parts, relative: parts.length > 1 && mistakable };
}

function joinUri(parts: readonly string[], relative: boolean): string {
  const [first = '', ...others] = parts;
  return !relative && hasScheme(parts) ? `${first}://${others.join('/')}` : parts.join('/');
}

/** Whether the parts of a URI that is not `relative` begin with a scheme that `//` followed. */
function hasScheme([first = '', ...others]: readonly string[]): boolean {
  return others.length > 0 && first !== '' && !first.includes(':');
}

/** `folder/name` → `folder~`, `name`: a trailing `~` says that the id goes on. */
function encodeServer(id: string): string[] {
  const segments = id.split('/').map(escapeText);
  const last = segments.pop() ?? '';
  const result = [...segments.map((segment) => `${segment}~`), last === '' ? '~.' : last];
  // VS Code lower-cases a path that begins like a Windows drive.
  result[0] = result[0]!.replace(/^([A-Za-z]):/, '$1~u003a');
  return result;
}

function decodeServer(segments: readonly string[]): { id: string; length: number } {
  let id = '';
  let length = 0;
  for (const segment of segments) {
    length++;
    if (segment === '~.') {
      break;
    }
    if (!segment.endsWith('~')) {
      id += unescapeText(segment);
      break;
    }
    id += `${unescapeText(segment.slice(0, -1))}/`;
  }
  return { id, length };
}

function authorityOf(path: string): string {
  return kind + createHash('sha256').update(kind).update(path).digest('hex').slice(0, checkLength);
}
