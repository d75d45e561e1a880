/** Characters of one kind that a person does not see in a text, while a model reads them. */
export interface HiddenCharacter {
  readonly kind: HiddenKind;
  readonly count: number;
  /** Line of the first one, from 1. */
  readonly line: number;
}

export type HiddenKind = 'tag' | 'bidi' | 'zeroWidth';

/** Variation selectors beyond the usual sixteen are among the zero-width ones: they carry hidden bytes as tags carry text. */
const ranges: Readonly<Record<HiddenKind, string>> = {
  tag: '\\u{e0000}-\\u{e007f}',
  bidi: '\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069',
  zeroWidth: '\\u00ad\\u034f\\u180e\\u200b-\\u200d\\u2060-\\u2064\\ufeff\\u{e0100}-\\u{e01ef}',
};

const kinds = Object.keys(ranges) as readonly HiddenKind[];
const hidden = new RegExp(kinds.map((kind) => `(?<${kind}>[${ranges[kind]}])`).join('|'), 'gu');
const LINE_END = /\r\n|\r|\n/gu;

/** Tag, bidi and zero-width characters of a text, by kind, in the order of the first of each. A byte order mark is none. */
export function hiddenCharacters(text: string): readonly HiddenCharacter[] {
  const found = new Map<HiddenKind, { count: number; line: number }>();
  let [line, counted] = [1, 0];
  for (const { index, groups = {} } of text.matchAll(hidden)) {
    if (index === 0 && text.startsWith('\ufeff')) {
      continue;
    }
    const kind = kinds.find((each) => groups[each] !== undefined)!;
    const known = found.get(kind);
    if (known) {
      known.count += 1;
      continue;
    }
    line += (text.slice(counted, index).match(LINE_END) ?? []).length;
    counted = index;
    found.set(kind, { count: 1, line });
  }
  return [...found].map(([kind, { count, line: first }]) => ({ kind, count, line: first }));
}
