import { format, getFormatInfo } from 'numfmt';
import { plainNumber } from './plain-number.js';

/** A number of a cell as a person reads it there. */
export type NumberText = (value: number) => string;

const GENERAL = 'General';
const DAY_MS = 86_400_000;
/** 1970-01-01, in the days that spreadsheets count from 1900 on. */
const DAYS_UNTIL_1970 = 25_569;
/** The day that spreadsheets count in 1900, and that never was. Source: ECMA-376, part 1, section 18.17.4.1. */
const DAY_THAT_NEVER_WAS = 60;
const DAYS_UNTIL_1904 = 1_462;
const MAX_DAYS = 2_958_466;

/**
 * What a format makes of numbers. Dates are written as ISO 8601 has them, and numbers with all their digits and without marks
 * between thousands, so that they are found; currencies, percent signs and units stay, as do the zeros of a `00000`.
 *
 * @param pattern as ECMA-376, part 1, section 18.8.31, has it @param from1904 whether days are counted from 1904 on
 */
export function numberText(pattern: string, from1904: boolean): NumberText {
  if (pattern === GENERAL) return plainNumber;
  const { type, scale } = infoOf(pattern);
  if (type === 'date' || type === 'datetime') return dateText(from1904);
  if (type === 'time' || type === 'percent') return (value) => shown(pattern, value) || plainNumber(value);
  const isOfNumber = type === 'number' || type === 'grouped' || type === 'currency';
  if (!isOfNumber || scale !== 1 || /^1(?:\.0*)?$/.test(shown(pattern, 1))) return plainNumber;
  return (value) => withAllDigits(shown(pattern, value), value);
}

function infoOf(pattern: string): { readonly type: string; readonly scale: number } {
  try {
    return getFormatInfo(pattern);
  } catch {
    return { type: 'general', scale: 1 };
  }
}

/** @returns empty where the format cannot show the value */
function shown(pattern: string, value: number): string {
  const text = format(pattern, value, { throws: false, dateErrorThrows: false }).replace(/\s+/g, ' ').trim();
  return text.startsWith('###') ? '' : text;
}

const DIGITS = /\d(?:[\d,.]*\d)?/;

/** `$1,234.57` becomes `$1234.567`. What is not the number itself, such as `012-345`, stays as it is. */
function withAllDigits(text: string, value: number): string {
  const digits = DIGITS.exec(text)?.[0];
  if (digits === undefined) return plainNumber(value);
  const rounded = Number(digits.replaceAll(',', ''));
  const isValue = Math.abs(rounded - Math.abs(value)) <= 0.5 && !/^0\d/.test(digits);
  return isValue ? text.replace(digits, plainNumber(Math.abs(value))) : text;
}

/** Spreadsheets know no time zone: what a person sees in the cell is what stands here in UTC. */
function dateText(from1904: boolean): NumberText {
  return (value) => {
    const days = from1904 ? value + DAYS_UNTIL_1904 : value < DAY_THAT_NEVER_WAS ? value + 1 : value;
    if (value < 0 || days >= MAX_DAYS) return plainNumber(value);
    if (value < 1) return value === 0 ? '0' : shown('hh:mm', value);
    const seconds = Math.round(((days - DAYS_UNTIL_1970) * DAY_MS) / 1_000);
    const [day = '', time = ''] = new Date(seconds * 1_000).toISOString().split('T');
    if (time.startsWith('00:00:00')) return day;
    return `${day} ${time.slice(0, time.startsWith(':00', 5) ? 5 : 8)}`;
  };
}
