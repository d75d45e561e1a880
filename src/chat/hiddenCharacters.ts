/** Characters of one kind that a person does not see in a text, while a model reads them. */
export interface HiddenCharacter {
  readonly kind: HiddenKind;
  readonly count: number;
  /** There may be more: the text has so many that the rest was not looked at. */
  readonly isMore?: true;
  /** Line of the first one, from 1. */
  readonly line: number;
}

export type HiddenKind = 'tag' | 'bidi' | 'zeroWidth';

/** Variation selectors beyond the usual sixteen are among the zero-width ones: they carry hidden bytes as tags carry text. */
const ranges: Readonly<Record<HiddenKind, string>> = {
  tag: '\\u{e0000}-\\u{e007f}',
  bidi: '\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069',
  zeroWidth:
    '\\u00ad\\u034f\\u180e\\u200b-\\u200d\\u2060-\\u2064\\u206a-\\u206f\\ufeff\\ufff9-\\ufffb\\u{e0100}-\\u{e01ef}',
};

const kinds = Object.keys(ranges) as readonly HiddenKind[];
/** The flags of England, Scotland and Wales are spelled in tags, and seen. */
const flags =
  '\\u{1f3f4}\\u{e0067}\\u{e0062}(?:\\u{e0065}\\u{e006e}\\u{e0067}|\\u{e0073}\\u{e0063}\\u{e0074}|\\u{e0077}\\u{e006c}\\u{e0073})\\u{e007f}';
const scripts =
  'Arabic Syriac Mongolian Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala Khmer Myanmar';
const letter = `[${scripts.replace(/\w+ ?/gu, (script) => `\\p{Script=${script.trim()}}`)}]`;
const emoji = '\\p{Extended_Pictographic}';
/** A joiner that is seen in what it joins (UTS 51, section 2.3; UAX 31, section 2.3): emoji, and letters of some scripts. */
const joiner =
  `(?<=${emoji}(?:\\ufe0f|[\\u{1f3fb}-\\u{1f3ff}])?)\\u200d(?=${emoji})` +
  `|(?<=${letter})[\\u200c\\u200d](?=${letter})`;
/** A usual variation selector says how one character looks; a second one after it says nothing that is seen. */
const secondSelector = '(?<=[\\ufe00-\\ufe0f\\u{e0100}-\\u{e01ef}])[\\ufe00-\\ufe0f]';
const hidden = new RegExp(
  `${flags}|(?!${joiner})(?:${kinds.map((kind) => `(?<${kind}>[${ranges[kind]}]${kind === 'zeroWidth' ? `|${secondSelector}` : ''})`).join('|')})`,
  'gu',
);
/** More are not counted: a text of nothing else would take many seconds. */
const MOST_COUNTED = 100_000;
const LINE_END = /\r\n|\r|\n/gu;

/**
 * Tag, bidi and zero-width characters of a text, by kind, in the order of the first of each. What makes an emoji or a
 * letter of what stands beside it is none, nor is a byte order mark.
 */
export function hiddenCharacters(text: string): readonly HiddenCharacter[] {
  const found = new Map<HiddenKind, { count: number; line: number }>();
  let [line, counted, total] = [1, 0, 0];
  for (const { index, groups = {} } of text.matchAll(hidden)) {
    const kind = kinds.find((each) => groups[each] !== undefined);
    if (kind === undefined || (index === 0 && text.startsWith('\ufeff'))) {
      continue;
    }
    total += 1;
    if (total > MOST_COUNTED) {
      break;
    }
    const known = found.get(kind);
    if (known) {
      known.count += 1;
      continue;
    }
    line += (text.slice(counted, index).match(LINE_END) ?? []).length;
    counted = index;
    found.set(kind, { count: 1, line });
  }
  const more = total > MOST_COUNTED ? ({ isMore: true } as const) : {};
  return [...found].map(([kind, { count, line: first }]) => ({ kind, count, ...more, line: first }));
}

/** How many there are, as a text. */
export function countWords({ count, isMore }: HiddenCharacter): string {
  return isMore ? `${count}+` : String(count);
}
