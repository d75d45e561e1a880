const units: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['week', 7 * 86_400],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
];

/** A time as a person says it ("3 days ago"); `undefined` for what is no time. Takes ISO 8601 and milliseconds. */
export function relativeTime(iso: string, now = Date.now(), locale?: string): string | undefined {
  const seconds = (Date.parse(iso) - now) / 1000;
  if (Number.isNaN(seconds)) {
    return undefined;
  }
  const [unit, length] = units.find(([, each]) => Math.abs(seconds) >= each) ?? ['second', 1];
  return new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(Math.trunc(seconds / length), unit);
}
