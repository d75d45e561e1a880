/** One state of a matcher: it takes a character that fits and goes on to `next`, or goes to others without one. */
interface State {
  readonly fits?: (character: string) => boolean;
  next: number;
  readonly ways: number[];
}

/** What is not understood. */
class GlobFault extends Error {}

/** Longer globs are not understood: nobody writes them. */
const LONGEST = 2000;

/**
 * What tests whether the whole of a text matches a glob: `*` and `?` end at a slash, `**` as a whole part does not; also
 * `{a,b}`, `[a-z]`, `[!a]`, and `@(a|b)`, `?(a)`, `*(a)`, `+(a)`. Takes time in proportion to the text, whatever the glob: a
 * regular expression would not, and the text is a server's. `undefined` where the glob is not understood.
 */
export function globMatcher(glob: string): ((text: string) => boolean) | undefined {
  if (glob === '' || glob.length > LONGEST) {
    return undefined;
  }
  try {
    const compiler = new GlobCompiler(glob);
    return (text) => matches(compiler.states, compiler.first, text);
  } catch (error) {
    if (error instanceof GlobFault) {
      return undefined;
    }
    throw error;
  }
}

/** All states that the text so far may have led to, at once: nothing is ever tried again. */
function matches(states: readonly State[], first: number, text: string): boolean {
  let current: number[] = [];
  const marks = new Uint32Array(states.length);
  let turn = 1;
  const enter = (into: number[], start: number): void => {
    const stack = [start];
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      if (marks[at] !== turn) {
        marks[at] = turn;
        into.push(at);
        stack.push(...states[at]!.ways);
      }
    }
  };
  enter(current, first);
  for (const character of text) {
    turn += 1;
    const following: number[] = [];
    for (const at of current) {
      const { fits, next } = states[at]!;
      if (fits?.(character)) {
        enter(following, next);
      }
    }
    if (following.length === 0) {
      return false;
    }
    current = following;
  }
  return current.includes(END);
}

/** The state in which the whole glob has matched. */
const END = 0;
const any = (): boolean => true;
const anyButSlash = (character: string): boolean => character !== '/';

/** Makes states of a glob, from its beginning to its end; each piece begins where the one before ends. */
class GlobCompiler {
  readonly states: State[] = [{ next: END, ways: [] }];
  readonly first: number;
  private at = 0;

  constructor(private readonly glob: string) {
    const start = this.state();
    this.first = start;
    this.states[this.sequence(start, '')]!.ways.push(END);
    if (this.at < glob.length) {
      throw new GlobFault();
    }
  }

  private state(fits?: State['fits'], next = END): number {
    this.states.push({ fits, next, ways: [] });
    return this.states.length - 1;
  }

  /** A step from a state to a new one, which is given back. */
  private step(from: number, fits: NonNullable<State['fits']>): number {
    const to = this.state();
    this.states[from]!.ways.push(this.state(fits, to));
    return to;
  }

  /** Any number of steps that lead back to the state. */
  private loop(at: number, fits: NonNullable<State['fits']>): void {
    this.states[at]!.ways.push(this.state(fits, at));
  }

  /** Pieces up to one of the characters in `ends`, or the glob's end. */
  private sequence(from: number, ends: string): number {
    let last = from;
    while (this.at < this.glob.length && !ends.includes(this.glob.charAt(this.at))) {
      last = this.piece(last);
    }
    return last;
  }

  private piece(from: number): number {
    const { glob, at } = this;
    const sign = String.fromCodePoint(glob.codePointAt(at)!);
    if ('@?*+'.includes(sign) && glob.charAt(at + 1) === '(') {
      this.at += 2;
      return this.repeated(from, sign);
    }
    if (sign === '!' && glob.charAt(at + 1) === '(') {
      throw new GlobFault();
    }
    switch (sign) {
      case '*':
        return this.stars(from);
      case '?':
        this.at += 1;
        return this.step(from, anyButSlash);
      case '[':
        return this.step(from, this.set());
      case '{':
        return this.choice(from);
      case '\\':
        this.at += 1;
        return this.literal(from);
      default:
        return this.literal(from);
    }
  }

  private literal(from: number): number {
    const wanted = this.glob.codePointAt(this.at);
    if (wanted === undefined) {
      throw new GlobFault();
    }
    const sign = String.fromCodePoint(wanted);
    this.at += sign.length;
    return this.step(from, (character) => character === sign);
  }

  /** `**` is more than `*` only as a whole part; with its slash it may stand for nothing. */
  private stars(from: number): number {
    const begun = this.at;
    while (this.glob.charAt(this.at) === '*' && this.glob.charAt(this.at + 1) !== '(') {
      this.at += 1;
    }
    const before = this.glob.charAt(begun - 1);
    const after = this.glob.charAt(this.at);
    const isWhole = this.at - begun > 1 && ['', '/', '{', ',', '('].includes(before);
    // The last part of a URI, where one is asked for, is not nothing.
    const isLast = !isWhole && ['', '/'].includes(before) && after === '';
    const to = isLast ? this.step(from, anyButSlash) : this.state();
    if (!isLast) {
      this.states[from]!.ways.push(to);
    }
    if (isWhole && after === '/') {
      this.at += 1;
      const behind = this.state();
      this.states[to]!.ways.push(behind);
      const within = this.state();
      this.states[to]!.ways.push(within);
      this.loop(within, any);
      this.states[within]!.ways.push(this.state((character) => character === '/', behind));
      return behind;
    }
    this.loop(to, isWhole && ['', '{', '}', ',', ')', '|'].includes(after) ? any : anyButSlash);
    return to;
  }

  /** `{a,b}`; without a comma it is what it looks like. */
  private choice(from: number): number {
    if (/^\{[^{},]*\}/.test(this.glob.slice(this.at))) {
      return this.literal(from);
    }
    this.at += 1;
    const to = this.state();
    for (;;) {
      const start = this.state();
      this.states[from]!.ways.push(start);
      this.states[this.sequence(start, ',}')]!.ways.push(to);
      const end = this.glob.charAt(this.at);
      this.at += 1;
      if (end === '') {
        throw new GlobFault();
      }
      if (end === '}') {
        return to;
      }
    }
  }

  /** `@(a|b)` once, `?(…)` once or not at all, `+(…)` once or more, `*(…)` any number of times. */
  private repeated(from: number, sign: string): number {
    const [start, to] = [this.state(), this.state()];
    this.states[from]!.ways.push(start);
    for (;;) {
      const option = this.state();
      this.states[start]!.ways.push(option);
      this.states[this.sequence(option, '|)')]!.ways.push(to);
      const end = this.glob.charAt(this.at);
      this.at += 1;
      if (end === '') {
        throw new GlobFault();
      }
      if (end === ')') {
        break;
      }
    }
    if (sign === '?' || sign === '*') {
      this.states[from]!.ways.push(to);
    }
    if (sign === '+' || sign === '*') {
      this.states[to]!.ways.push(start);
    }
    return to;
  }

  /** `[a-z]`, `[!a]`, `[^a]`: one character, never a slash. */
  private set(): (character: string) => boolean {
    const close = this.glob.indexOf(']', this.at + 2);
    if (close < 0) {
      throw new GlobFault();
    }
    const body = Array.from(this.glob.slice(this.at + 1, close));
    this.at = close + 1;
    const negated = body[0] === '!' || body[0] === '^';
    const signs = negated ? body.slice(1) : body;
    const ranges: (readonly [string, string])[] = [];
    for (let index = 0; index < signs.length; index += 1) {
      const isRange = signs[index + 1] === '-' && index + 2 < signs.length;
      ranges.push([signs[index]!, isRange ? signs[index + 2]! : signs[index]!]);
      index += isRange ? 2 : 0;
    }
    return (character) =>
      character !== '/' && negated !== ranges.some(([low, high]) => low <= character && character <= high);
  }
}
