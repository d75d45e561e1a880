import { extensionFor, isTextType, parseMediaType, typeOfFileName } from '../base/mediaType';
import { hiddenCharacters } from './segmentEscape';

/** What is known of a resource when its document gets a name. */
export interface NamedResource {
  readonly uri: string;
  readonly name?: string;
  readonly title?: string;
  readonly mimeType?: string;
}

const maxLength = 80;
const maxBytes = 200;
/** What Windows forbids in names, and what the document URI would have to escape. */
const forbidden = /[<>:"/\\|?*%~]+/g;
const forbiddenEnds = /^[\s<>:"/\\|?*%~]+|[\s.<>:"/\\|?*%~]+$/g;
const windowsDevices = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?=\.|$)/i;
const extension = /\.[A-Za-z][\w+-]{0,15}$/;
/** Names without an extension by which VS Code knows the language. */
const languageNames =
  /^(?:dockerfile|containerfile|(?:gnu)?makefile|gemfile|rakefile|podfile|brewfile|jenkinsfile|vagrantfile|justfile|codeowners)$/i;
/** Types of one language or syntax: the extension at hand is as good as the one of the type. */
const families = [
  /[/+-]json/,
  /[/+]xml$/,
  /(?:javascript|typescript|\/[jt]sx)$/,
  /\/x-(?:sh|bash|shellscript)$/,
  /\/x-c(?:\+\+)?(?:src|hdr)?$/,
];

/**
 * A readable file name for a resource's document: the last part of the URI, else name or title, with the extension that
 * fits the MIME type. Safe as a path segment everywhere, never empty, at most 80 characters and 200 bytes of UTF-8.
 */
export function documentFileName({ uri, name, title, mimeType }: NamedResource): string {
  const [, scheme, body = ''] = /^(?:([^:/?#]+):)?(.*)$/s.exec(uri) ?? [];
  const pathEnd = body.search(/[?#]/);
  const path = pathEnd < 0 ? body : body.slice(0, pathEnd);
  const last = percentDecoded(path.split('/').findLast((part) => part !== '') ?? '');
  const query = percentDecoded(body.slice(path.length));

  // `report.csv?year=2024` becomes `report-year=2024.csv`.
  const ending = query !== '' && typeOfFileName(last) !== undefined ? (extension.exec(last)?.[0] ?? '') : '';
  const candidates = [
    last.slice(0, last.length - ending.length) + query + ending,
    name ?? '',
    title ?? '',
    scheme ?? '',
  ];
  const readable = candidates.map(sanitized).find((candidate) => candidate !== '') ?? 'resource';
  return cut(readable, fittingExtension(readable, mimeType)).replace(windowsDevices, '_$&');
}

/** The extension to append, with its dot; empty where the name will do. */
function fittingExtension(name: string, mimeType: string | undefined): string {
  const type = mimeType === undefined ? undefined : parseMediaType(mimeType)?.essence;
  const wanted = type === undefined || type === 'application/octet-stream' ? undefined : extensionFor(type);
  if (type === undefined || wanted === undefined) {
    return ''; // says nothing: without an extension VS Code opens plain text
  }
  const ownType = typeOfFileName(name);
  const keep =
    wanted === 'txt'
      ? // Servers say text/plain of any text, so an extension of a text format knows better.
        languageNames.test(name) || (ownType === undefined ? extension.test(name) : isTextType(ownType))
      : ownType !== undefined && isSameKind(ownType, type);
  return keep || name.toLowerCase().endsWith(`.${wanted}`) ? '' : `.${wanted}`;
}

/** Whether files of both types are opened alike, so that `.yml`, `.geojson` or `.tsx` may stay. */
function isSameKind(ownType: string, type: string): boolean {
  const isFamily = !type.startsWith('image/') && families.some((family) => family.test(ownType) && family.test(type));
  return isFamily || ownType === type || extensionFor(ownType) === extensionFor(type);
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function sanitized(text: string): string {
  const dot = text.length > 1000 ? (extension.exec(text.slice(-20))?.[0] ?? '') : '';
  return (text.slice(0, 1000) + dot)
    .replace(hiddenCharacters, '/')
    .replace(forbiddenEnds, '')
    .replace(forbidden, '-')
    .replace(/^\.+/, '_.');
}

/** Cuts a long name between characters as a person sees them, and keeps its extension. */
function cut(name: string, appended: string): string {
  if (fits(name + appended)) {
    return name + appended;
  }
  const ending = appended || (extension.exec(name)?.[0] ?? '');
  const stem = appended ? name : name.slice(0, name.length - ending.length);
  let result = '';
  for (const { segment } of new Intl.Segmenter().segment(stem)) {
    if (!fits(`${result}${segment}…${ending}`)) {
      break;
    }
    result += segment;
  }
  if (result === '') {
    // A single "character" of endless combining marks.
    result = Array.from(stem).slice(0, 20).join('');
  }
  return `${result.replace(/[\s.]+$/, '')}…${ending}`;
}

function fits(name: string): boolean {
  return name.length <= maxLength && Buffer.byteLength(name) <= maxBytes;
}
