import { Draft, isJsonObject, type JsonObject } from './draft';
import { type Note, shown } from './repairNotes';

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const ROLES: readonly unknown[] = ['user', 'assistant'];
const DATE_TIME =
  /^(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;
/** What ISO 8601 allows beyond that: a date alone, no seconds, no offset, a space for the T. */
const LOOSE_DATE_TIME = /^(\d{4}-\d\d-\d\d)(?:[Tt ](\d\d:\d\d)(:\d\d)?([.,]\d+)?\s?([Zz]|[+-]\d\d(?::?\d\d)?)?)?$/;

/** Annotations with their bad values left out (specification: server/resources, Annotations). They are hints only. */
export function repairAnnotations(annotations: JsonObject, note: Note): JsonObject {
  const draft = new Draft(annotations);
  const { audience, priority, lastModified } = annotations;
  repairAudience(draft, audience, note);
  if (priority !== undefined && !(typeof priority === 'number' && priority >= 0 && priority <= 1)) {
    draft.drop('priority');
    note(`the priority ${shown(priority)} is not within 0…1 and was dropped`);
  }
  if (lastModified !== undefined && !(typeof lastModified === 'string' && isDateTime(lastModified))) {
    const mended = typeof lastModified === 'string' ? dateTimeOf(lastModified) : undefined;
    if (mended === undefined) {
      draft.drop('lastModified');
      note(`lastModified ${shown(lastModified)} is no date and was dropped`);
    } else {
      draft.set('lastModified', mended);
      note(`lastModified ${shown(lastModified)} became ${mended}`);
    }
  }
  return draft.value;
}

/** An audience of which nothing is left is none given; an empty one stays what it was. */
function repairAudience(draft: Draft, audience: unknown, note: Note): void {
  if (audience === undefined || (Array.isArray(audience) && audience.every((role) => ROLES.includes(role)))) {
    return;
  }
  const given: readonly unknown[] = Array.isArray(audience) ? audience : [audience];
  const lower = new Set(given.map((role) => (typeof role === 'string' ? role.toLowerCase() : role)));
  const roles = ROLES.filter((role) => lower.has(role));
  if (roles.length > 0) {
    draft.set('audience', roles);
    note(`the audience became ${roles.join(', ')}`);
  } else {
    draft.drop('audience');
    note(`the audience ${shown(given.length === 1 ? given[0] : audience)} is unknown and was dropped`);
  }
}

function isDateTime(text: string): boolean {
  const [, year, month, day] = DATE_TIME.exec(text) ?? [];
  return day !== undefined && (day <= '28' || isDay(Number(year), Number(month), Number(day)));
}

/** Without an offset it is taken for UTC: as a hint, half a day off is better than nothing. */
function dateTimeOf(text: string): string | undefined {
  const parts = LOOSE_DATE_TIME.exec(text.trim());
  if (!parts) {
    return undefined;
  }
  const [, date = '', minutes = '00:00', seconds = ':00', fraction = '', offset = 'Z'] = parts;
  const [, sign = '', hours = '', rest = '00'] = /^([+-])(\d\d):?(\d\d)?$/.exec(offset) ?? [];
  const zone = sign === '' ? 'Z' : `${sign}${hours}:${rest}`;
  const whole = `${date}T${minutes}${seconds}${fraction.replace(',', '.')}${zone}`;
  return isDateTime(whole) ? whole : undefined;
}

/** Whether a date is in the calendar. */
function isDay(year: number, month: number, day: number): boolean {
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const days = month === 2 && leap ? 29 : (DAYS[month - 1] ?? 0);
  return day <= days;
}

/** Icons without what is not one (specification: basic, Icon). Undefined when none is left. */
export function repairIcons(icons: unknown, note: Note): readonly unknown[] | undefined {
  const list: readonly unknown[] = Array.isArray(icons) ? icons : [icons];
  const good = list.map(repairIcon).filter((icon) => icon !== undefined);
  const same = Array.isArray(icons) && good.length === list.length && good.every((icon, index) => icon === list[index]);
  if (same) {
    return icons as readonly unknown[];
  }
  note(`icons were mended: ${good.length} of ${list.length} are left`);
  return good.length > 0 ? good : undefined;
}

function repairIcon(icon: unknown): JsonObject | undefined {
  if (!isJsonObject(icon) || typeof icon.src !== 'string') {
    return undefined;
  }
  const draft = new Draft(icon);
  const { mimeType, sizes, theme } = icon;
  if (mimeType !== undefined && typeof mimeType !== 'string') {
    draft.drop('mimeType');
  }
  if (theme !== undefined && theme !== 'light' && theme !== 'dark') {
    draft.drop('theme');
  }
  if (typeof sizes === 'string') {
    // As drafts of the specification had it.
    draft.set('sizes', sizes.split(/\s+/).filter(Boolean));
  } else if (sizes !== undefined && !(Array.isArray(sizes) && sizes.every((size) => typeof size === 'string'))) {
    draft.drop('sizes');
  }
  return draft.value;
}
