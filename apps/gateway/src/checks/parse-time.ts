import { createFieldProblem } from './field-problem.js';

/**
 * Parses a time in ISO 8601 that a request contains. A time without an offset is in UTC.
 *
 * @param field the path of the field in the request
 * @returns undefined if the request does not contain the field
 * @throws Problem 400 for a text that JavaScript cannot parse as a time, such as `2026-W48`, for a day that does not
 *   exist, and for a time outside the years 1 to 9999
 */
export function parseTime(field: string, text: string): Date;
export function parseTime(field: string, text: string | null | undefined): Date | undefined;
export function parseTime(field: string, text: string | null | undefined): Date | undefined {
  if (text === undefined || text === null) return undefined;
  // JavaScript takes a date without a time as UTC, but a date with a time as local time.
  const isUtc = !/[T ]\d/i.test(text) || /(Z|[+-]\d\d:?\d\d)$/i.test(text);
  const time = new Date(isUtc ? text : `${text}Z`);
  const year = time.getUTCFullYear();
  // PostgreSQL cannot parse other years in the form in which JavaScript formats them. An invalid time has no year.
  if (year >= 1 && year <= 9999 && hasExistingDay(text)) return time;
  const found = JSON.stringify(text.slice(0, 60));
  throw createFieldProblem(
    field,
    `must be a time such as 2026-11-30T12:00:00Z, in the years 1 to 9999 in UTC, found ${found}`,
  );
}

/** Returns false if the month of a date does not have its day. JavaScript parses 30 February as 2 March. */
function hasExistingDay(text: string): boolean {
  const [date = '', day] = /^\d{4}-\d\d-(\d\d)/.exec(text) ?? [];
  return day === undefined || new Date(date).getUTCDate() === Number(day);
}
