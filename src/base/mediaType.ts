import type * as MimeTypes from 'mime-types';

/** A MIME type as servers write it, taken apart. */
export interface MediaType {
  /** `type/subtype` in lower case, without parameters. */
  readonly essence: string;
  /** By lower-case name, unquoted. */
  readonly parameters: ReadonlyMap<string, string>;
}

/**
 * Extension → types, the extension's own type first, a type's preferred extension first. VS Code picks language and
 * viewer by extension. Only what mime-types does not know, knows otherwise (`.ts` is a film there), or is common.
 */
const typesByExtension: Readonly<Record<string, string>> = {
  txt: 'text/plain',
  text: 'text/plain',
  md: 'text/markdown text/x-markdown application/markdown',
  markdown: 'text/markdown',
  mdx: 'text/markdown',
  json: 'application/json text/json text/x-json',
  jsonc: 'application/jsonc',
  jsonl: 'application/jsonl application/x-jsonlines',
  ndjson: 'application/x-ndjson application/ndjson',
  html: 'text/html',
  xml: 'application/xml text/xml',
  yaml: 'application/yaml text/yaml application/x-yaml text/x-yaml',
  yml: 'application/yaml',
  toml: 'application/toml text/x-toml text/toml',
  csv: 'text/csv',
  log: 'text/x-log',
  ini: 'text/x-ini',
  cfg: 'text/plain',
  env: 'text/plain',
  properties: 'text/x-properties text/x-java-properties',
  diff: 'text/x-diff text/x-patch',
  patch: 'text/x-diff',
  rst: 'text/x-rst',
  adoc: 'text/asciidoc text/x-asciidoc',
  tex: 'text/x-tex application/x-tex application/x-latex',
  mmd: 'text/vnd.mermaid text/x-mermaid',
  css: 'text/css',
  scss: 'text/x-scss',
  js: 'text/javascript application/javascript application/x-javascript application/ecmascript',
  cjs: 'text/javascript',
  jsx: 'text/jsx',
  ts: 'text/typescript application/typescript text/x-typescript application/x-typescript',
  mts: 'text/typescript',
  cts: 'text/typescript',
  tsx: 'text/tsx',
  vue: 'text/x-vue',
  svelte: 'text/x-svelte',
  py: 'text/x-python application/x-python application/x-python-code text/x-script.python text/python',
  rs: 'text/x-rust text/rust',
  go: 'text/x-go',
  java: 'text/x-java text/x-java-source',
  kt: 'text/x-kotlin',
  scala: 'text/x-scala',
  groovy: 'text/x-groovy',
  c: 'text/x-c text/x-csrc',
  h: 'text/x-chdr',
  cpp: 'text/x-c++ text/x-c++src',
  hpp: 'text/x-c++hdr',
  cs: 'text/x-csharp',
  fs: 'text/x-fsharp',
  swift: 'text/x-swift',
  dart: 'text/x-dart',
  rb: 'text/x-ruby application/x-ruby',
  php: 'text/x-php application/x-php application/x-httpd-php',
  pl: 'text/x-perl application/x-perl',
  lua: 'text/x-lua',
  r: 'text/x-r',
  hs: 'text/x-haskell',
  ex: 'text/x-elixir',
  erl: 'text/x-erlang',
  clj: 'text/x-clojure',
  sh: 'text/x-sh text/x-shellscript application/x-sh application/x-shellscript',
  bash: 'text/x-bash',
  ps1: 'text/x-powershell application/x-powershell',
  bat: 'text/x-batch',
  sql: 'application/sql text/x-sql text/sql',
  graphql: 'application/graphql text/x-graphql',
  gql: 'application/graphql',
  proto: 'text/x-protobuf',
  tf: 'text/x-terraform',
  mk: 'text/x-makefile',
  dockerfile: 'text/x-dockerfile',
  png: 'image/png',
  jpg: 'image/jpeg image/jpg',
  jpeg: 'image/jpeg',
  svg: 'image/svg+xml',
  mp3: 'audio/mpeg audio/mp3',
  wav: 'audio/wav audio/x-wav',
  ogg: 'audio/ogg',
  pdf: 'application/pdf',
};

const extensionTypes = new Map<string, string>();
const preferredExtensions = new Map<string, string>();
for (const [extension, types] of Object.entries(typesByExtension)) {
  for (const type of types.split(' ')) {
    extensionTypes.set(extension, extensionTypes.get(extension) ?? type);
    preferredExtensions.set(type, preferredExtensions.get(type) ?? extension);
  }
}

/** Types outside `text/` whose content is text, by the part after `/` and `x-`, or after `+`. */
const textualSubtypes = new Set(
  (
    'json jsonc json5 jsonl jsonlines ndjson json-seq xml xml-dtd yaml toml sql graphql sh shellscript csh tcl ' +
    'powershell javascript ecmascript typescript node python python-code perl ruby php httpd-php markdown tex latex ' +
    'subrip www-form-urlencoded mbox pem-file'
  ).split(' '),
);

/**
 * Reads a MIME type (RFC 6838) as tolerantly as servers write it: any case, parameters, stray space. A bare word is
 * taken for a file extension (`text`, `json`, `png`). `undefined` for anything else.
 */
export function parseMediaType(text: string): MediaType | undefined {
  const [head = '', ...rest] = text.split(';');
  const name = head.trim().toLowerCase();
  const essence = /^[^\s/]+\/[^\s/]+$/.test(name) ? name : typeOfExtension(name);
  if (essence === undefined) {
    return undefined;
  }
  const parameters = new Map<string, string>();
  for (const parameter of rest) {
    const equals = parameter.indexOf('=');
    if (equals > 0) {
      const value = parameter.slice(equals + 1).trim();
      parameters.set(parameter.slice(0, equals).trim().toLowerCase(), value.replace(/^"(.*)"$/s, '$1'));
    }
  }
  return { essence, parameters };
}

/** The usual file extension of a type, without the dot; `undefined` when the type is unknown or nonsense. */
export function extensionFor(mimeType: string): string | undefined {
  const essence = parseMediaType(mimeType)?.essence;
  if (essence === undefined) {
    return undefined;
  }
  const known = preferredExtensions.get(essence) ?? (mimeTypes().extension(essence) || undefined);
  const suffix = /\+(json|xml|yaml)$/.exec(essence)?.[1];
  return known ?? suffix ?? (essence.startsWith('text/') ? 'txt' : undefined);
}

/** Whether content of that type is text. */
export function isTextType(mimeType: string): boolean {
  const essence = parseMediaType(mimeType)?.essence ?? '';
  const [type, subtype = ''] = essence.split('/');
  return (
    type === 'text' ||
    type === 'message' ||
    (type === 'application' && textualSubtypes.has(subtype.replace(/^x-/, ''))) ||
    /\+(?:json|xml|yaml)$/.test(subtype)
  );
}

/** The type that a file name's extension stands for; `undefined` without a known extension. */
export function typeOfFileName(name: string): string | undefined {
  const dot = name.lastIndexOf('.');
  return dot < 0 ? undefined : typeOfExtension(name.slice(dot + 1).toLowerCase());
}

function typeOfExtension(extension: string): string | undefined {
  if (!/^[a-z0-9_+-]{1,20}$/.test(extension)) {
    return undefined;
  }
  return extensionTypes.get(extension) ?? (mimeTypes().lookup(extension) || undefined);
}

/** Loaded when the table above does not do: the database of mime-types costs 10 to 20 ms, too much for activation. */
function mimeTypes(): typeof MimeTypes {
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  return require('mime-types') as typeof MimeTypes;
}
