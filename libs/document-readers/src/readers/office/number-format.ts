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
  if (type === 'time' || type === 'percent') return (value) => formatWithPattern(pattern, value) || formatNumber(value);
  const isOfNumber = type === 'number' || type === 'grouped' || type === 'currency';
  if (!isOfNumber || scale !== 1 || /^1(?:\.0*)?$/.test(formatWithPattern(pattern, 1))) return formatNumber;
  return (value) => restoreRoundedDigits(formatWithPattern(pattern, value), value);
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
  return isValue ? text.replace(digits, formatNumber(Math.abs(value))) : text;
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
