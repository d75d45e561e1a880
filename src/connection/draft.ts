/** An object of JSON, its fields unknown. */
export type JsonObject = Readonly<Record<string, unknown>>;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An object under repair: copied at the first change, so that what needs none stays the very same object. */
export class Draft {
  private copy: Record<string, unknown> | undefined;

  constructor(private readonly original: JsonObject) {}

  get value(): JsonObject {
    return this.copy ?? this.original;
  }

  get(key: string): unknown {
    return this.value[key];
  }

  has(key: string): boolean {
    return Object.hasOwn(this.value, key);
  }

  set(key: string, value: unknown): void {
    this.copy ??= { ...this.original };
    this.copy[key] = value;
  }

  drop(key: string): void {
    if (this.has(key)) {
      this.copy ??= { ...this.original };
      // eslint-disable-next-line @typescript-eslint/no-dynamic-delete -- a plain object of JSON, its keys are data
      delete this.copy[key];
    }
  }
}
