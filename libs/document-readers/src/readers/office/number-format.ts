import { format, getFormatInfo } from 'numfmt';
import { formatNumber } from './format-number.js';

/** Formats the number of a cell for the text of a document. */
export type NumberFormatter = (value: number) => string;

const GENERAL = 'General';
const DAY_MS = 86_400_000;
/** Day number of 1970-01-01 in spreadsheets, which count days from 1900. */
const DAYS_UNTIL_1970 = 25_569;
/**
 * Day number of February 29, 1900. Spreadsheets count this day although it did not exist. Source: ECMA-376, part 1,
 * section 18.17.4.1.
 */
const NONEXISTENT_DAY = 60;
const DAYS_UNTIL_1904 = 1_462;
const MAX_DAYS = 2_958_466;

/**
 * Creates a formatter for a number format. So that searches find numbers and dates, the formatter writes dates in ISO
 * 8601, and numbers with all digits and without thousands separators. It keeps currencies, percent signs, units and
 * leading zeros.
 *
 * @param pattern as in ECMA-376, part 1, section 18.8.31
 * @param from1904 true if day 0 is in 1904, false if it is in 1900
 */
export function createNumberFormatter(pattern: string, from1904: boolean): NumberFormatter {
  if (pattern === GENERAL) return formatNumber;
  const { type, scale } = getFormatInfoOrGeneral(pattern);
  if (type === 'date' || type === 'datetime') return createDateFormatter(from1904);
  if (type === 'time') return (value) => formatWithPattern(pattern, value) || formatNumber(value);
  const neutral = pattern.replace(LOCALE, '$1-409]');
  if (type === 'percent') return (value) => formatWithPattern(neutral, value) || formatNumber(value);
  if (!NUMBER_TYPES.has(type) || scale !== 1 || /^1(?:\.0*)?$/.test(formatWithPattern(neutral, 1))) return formatNumber;
  const masked = maskLiteralDigits(neutral);
  return (value) => unmaskDigits(restoreRoundedDigits(formatWithPattern(masked, value), value));
}

const NUMBER_TYPES = new Set(['number', 'grouped', 'currency', 'general']);
/**
 * Matches the locale in a tag such as `[$€-407]` or `[$-407]`. The formatter replaces this locale by 409, English (US),
 * because other locales have other separators. Source: ECMA-376, part 1, section 18.8.31.
 */
const LOCALE = /(\[\$[^\]-]*)-[^\]]*\]/g;
/** Matches a literal, or the format `General` with a text, such as in `General" kg"`. */
const LITERAL_OR_GENERAL = /\\.|"[^"]*"|General/gi;
/** Code of the character, in a private use area of Unicode, that replaces the digit 0 of a literal. */
const MASKED_ZERO = 0xe000;

/**
 * Replaces the digits of literals, such as `"CO2 "`, by private characters, to distinguish them from the digits of the
 * value. Replaces `General` by `0`, which has no exponent.
 */
function maskLiteralDigits(pattern: string): string {
  return pattern.replace(LITERAL_OR_GENERAL, (found) =>
    found.toLowerCase() === GENERAL.toLowerCase()
      ? '0'
      : found.replace(/\d/g, (digit) => String.fromCharCode(MASKED_ZERO + Number(digit))),
  );
}

function unmaskDigits(text: string): string {
  return text.replace(/[\ue000-\ue009]/g, (masked) => String(masked.charCodeAt(0) - MASKED_ZERO));
}

/** Returns the type and scale of a number format, or those of the format `General` for an invalid pattern. */
function getFormatInfoOrGeneral(pattern: string): { readonly type: string; readonly scale: number } {
  try {
    return getFormatInfo(pattern);
  } catch {
    return { type: 'general', scale: 1 };
  }
}

/** Formats a value with a number format. Returns '' if the format cannot display the value. */
function formatWithPattern(pattern: string, value: number): string {
  const text = format(pattern, value, { throws: false, dateErrorThrows: false }).replace(/\s+/g, ' ').trim();
  return text.startsWith('###') ? '' : text;
}

const DIGITS = /\d(?:[\d,.]*\d)?/;

/**
 * Replaces the rounded number in a formatted text by the exact `value`: `$1,234.57` becomes `$1234.567`. Returns a text
 * that does not contain the number itself, such as `012-345`, unchanged.
 */
function restoreRoundedDigits(text: string, value: number): string {
  const digits = DIGITS.exec(text)?.[0];
  if (digits === undefined) return formatNumber(value);
  const rounded = Number(digits.replaceAll(',', ''));
  const isValue = Math.abs(rounded - Math.abs(value)) <= 0.5 && !/^0\d/.test(digits);
  // A value that is rounded to 0 has lost its sign.
  const sign = value < 0 && rounded === 0 && !/[-(]/.test(text.slice(0, text.indexOf(digits))) ? '-' : '';
  return isValue ? sign + text.replace(digits, formatNumber(Math.abs(value))) : text;
}

/** Creates a formatter for dates. Spreadsheets have no time zones, so the displayed time is read as UTC. */
function createDateFormatter(from1904: boolean): NumberFormatter {
  return (value) => {
    const days = from1904 ? value + DAYS_UNTIL_1904 : value < NONEXISTENT_DAY ? value + 1 : value;
    if (value < 0 || days >= MAX_DAYS) return formatNumber(value);
    if (value < 1) return value === 0 ? '0' : formatWithPattern('hh:mm', value);
    const seconds = Math.round(((days - DAYS_UNTIL_1970) * DAY_MS) / 1_000);
    const [day = '', time = ''] = new Date(seconds * 1_000).toISOString().split('T');
    if (time.startsWith('00:00:00')) return day;
    return `${day} ${time.slice(0, time.startsWith(':00', 5) ? 5 : 8)}`;
  };
}
