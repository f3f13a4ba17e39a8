import type { Language } from './define-messages.js';

/**
 * Functions that format numbers and times in a language. Times are in the time zone of the user unless stated
 * otherwise.
 */
export interface Formats {
  readonly number: (value: number) => string;
  /** Rounds a number and formats it in a compact form, such as `1.2m`. */
  readonly compact: (value: number) => string;
  /** Formats a score with two decimals, such as `0.30`, so that scores align. */
  readonly score: (value: number) => string;
  readonly percent: (share: number) => string;
  /** Formats a number of bytes with decimal units, such as `1.2 MB`. */
  readonly bytes: (value: number) => string;
  /** Formats a date, such as `23 Nov 2026`. */
  readonly date: (value: Date) => string;
  /** Formats a day in UTC, such as `2026-11-23`, as `23 Nov 2026`. */
  readonly day: (value: string) => string;
  /** Formats a day in UTC without its year, such as `23 Nov`. */
  readonly shortDay: (value: string) => string;
  /** Formats the hour and the minute, such as `01:00`. */
  readonly time: (value: Date) => string;
  /** Formats a time with its date, its seconds and its time zone. */
  readonly exact: (value: Date) => string;
  /** Formats a time relative to now, such as `3 minutes ago`. */
  readonly relative: (value: Date, now: Date) => string;
  /** Formats a duration in milliseconds, such as `2.4s` or `3m 5s`. */
  readonly duration: (ms: number) => string;
  readonly list: (items: readonly string[]) => string;
  /** Selects the singular or plural text for a number, and replaces `#` in the text with the formatted number. */
  readonly plural: (count: number, forms: { readonly one: string; readonly other: string }) => string;
}

const LOCALES: Readonly<Record<Language, string>> = { en: 'en-GB', de: 'de-DE' };
const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/**
 * Creates the format functions of a language.
 *
 * @param timeZone IANA name of a time zone; default: the time zone of the user
 */
export function createFormats(language: Language, timeZone?: string): Formats {
  const locale = LOCALES[language];
  const zone = timeZone === undefined ? {} : { timeZone };
  const numbers = new Intl.NumberFormat(locale, { maximumFractionDigits: 2 });
  const compactNumbers = new Intl.NumberFormat(locale, {
    notation: 'compact',
    maximumFractionDigits: 1,
    useGrouping: 'always',
  });
  const scores = new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  const percents = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });
  const dates = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', ...zone });
  const days = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });
  const shortDays = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' });
  const times = new Intl.DateTimeFormat(locale, { timeStyle: 'short', ...zone });
  const exactTimes = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'long', ...zone });
  const distances = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  const lists = new Intl.ListFormat(locale, { type: 'conjunction' });
  const plurals = new Intl.PluralRules(locale);
  return {
    number: (value) => numbers.format(value),
    compact: (value) => compactNumbers.format(value),
    score: (value) => scores.format(value),
    percent: (share) => percents.format(share),
    bytes: (value) => formatBytes(locale, value),
    date: (value) => dates.format(value),
    day: (value) => days.format(new Date(value)),
    shortDay: (value) => shortDays.format(new Date(value)),
    time: (value) => times.format(value),
    exact: (value) => exactTimes.format(value),
    relative: (value, now) => {
      const { amount, unit } = computeTimeDifference(value, now);
      return distances.format(amount, unit);
    },
    duration: (ms) => formatDuration(locale, ms),
    list: (items) => lists.format(items),
    plural: (count, { one, other }) =>
      (plurals.select(count) === 'one' ? one : other).replaceAll('#', numbers.format(count)),
  };
}

function formatBytes(locale: string, bytes: number): string {
  const exponent = Math.max(0, Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  const value = bytes / 1000 ** exponent;
  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: UNITS[exponent] ?? 'byte',
    unitDisplay: exponent === 0 ? 'long' : 'short',
    maximumFractionDigits: value < 10 && exponent > 0 ? 1 : 0,
  }).format(value);
}

function formatDuration(locale: string, ms: number): string {
  // English durations use narrow units, such as `2.4s`, but milliseconds have short units, which are easier to read.
  // German durations use short units, because narrow German units mix abbreviations and single letters.
  const unitDisplay = locale === LOCALES.en && ms >= 1_000 ? 'narrow' : 'short';
  const format = (value: number, unit: string, digits = 0): string =>
    new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay, maximumFractionDigits: digits }).format(value);
  if (ms < 1_000) return format(Math.round(ms), 'millisecond');
  if (ms < 60_000) return format(ms / 1_000, 'second', 1);
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 60) return `${format(minutes, 'minute')} ${format(Math.floor((ms % 60_000) / 1_000), 'second')}`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${format(hours, 'hour')} ${format(minutes % 60, 'minute')}`;
  return `${format(Math.floor(hours / 24), 'day')} ${format(hours % 24, 'hour')}`;
}

const STEPS = [
  ['second', 60],
  ['minute', 60],
  ['hour', 24],
  ['day', 30],
  ['month', 12],
  ['year', Infinity],
] as const satisfies readonly (readonly [Intl.RelativeTimeFormatUnit, number])[];

/** Computes the time between two dates in the largest unit that fits into it at least once. */
function computeTimeDifference(value: Date, now: Date): { amount: number; unit: Intl.RelativeTimeFormatUnit } {
  let amount = (value.getTime() - now.getTime()) / 1_000;
  for (const [unit, size] of STEPS) {
    const rounded = Math.trunc(amount);
    if (Math.abs(rounded) < size) return { amount: rounded, unit };
    amount /= size;
  }
  return { amount: Math.trunc(amount), unit: 'year' };
}
