/** Why a tool cannot do what a model asks of it, and what to do next: words for the model. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
}

/** What a model gave a tool. It may be anything: each value is looked at before it is used. */
export class ToolInput {
  private readonly values: Readonly<Record<string, unknown>>;

  constructor(input: unknown) {
    if (typeof input !== 'object' || input === null || Array.isArray(input)) {
      throw new ToolError('The input must be an object.');
    }
    this.values = input as Readonly<Record<string, unknown>>;
  }

  /** A text that must be there. */
  text(name: string): string {
    const text = this.optionalText(name);
    if (text === undefined || text === '') {
      throw new ToolError(`"${name}" is missing: give it as a text.`);
    }
    return text;
  }

  optionalText(name: string): string | undefined {
    const value = this.value(name);
    if (value !== undefined && typeof value !== 'string') {
      throw new ToolError(`"${name}" must be a text.`);
    }
    return value;
  }

  /** A whole number of at least `least`; a larger one than `most` is taken for `most`. */
  number(
    name: string,
    { least, most = Number.MAX_SAFE_INTEGER }: { least: number; most?: number },
  ): number | undefined {
    const value = this.value(name);
    if (value === undefined) {
      return undefined;
    }
    if (!Number.isSafeInteger(value) || (value as number) < least) {
      throw new ToolError(`"${name}" must be a whole number, ${least} or more.`);
    }
    return Math.min(value as number, most);
  }

  /** Texts, and lists of texts, by name. */
  texts(name: string): ReadonlyMap<string, string | readonly string[]> {
    const value = this.value(name) ?? {};
    if (typeof value !== 'object' || Array.isArray(value)) {
      throw new ToolError(`"${name}" must be an object of texts.`);
    }
    const entries = Object.entries(value);
    const isText = (each: unknown): each is string => typeof each === 'string';
    if (!entries.every(([, each]) => isText(each) || (Array.isArray(each) && each.every(isText)))) {
      throw new ToolError(`"${name}" must be an object whose values are texts or lists of texts.`);
    }
    return new Map(entries as [string, string | readonly string[]][]);
  }

  /** Its own, never one of every object. Null counts as not given: some models send it for what they leave out. */
  private value(name: string): unknown {
    return Object.hasOwn(this.values, name) ? (this.values[name] ?? undefined) : undefined;
  }
}
