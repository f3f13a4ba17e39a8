/** As long as the only form that the contract knows is: UTC, milliseconds, a `T` and a `Z`. */
const LENGTH = '2026-01-31T23:59:59.999Z'.length;
/** Days that every month has: most dates need no more to be told. */
const SURE = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;

/** Whether `value` is a date of the contract's form, and a day and time that exist. Such dates sort as text. */
export function isItemDate(value: unknown): value is string {
  // Years beyond four digits are longer.
  if (typeof value !== 'string' || value.length !== LENGTH) return false;
  if (SURE.test(value)) return true;
  const date = new Date(value);
  // Another form is written back in this one, and a day that does not exist, such as 30 February, as another day.
  return !Number.isNaN(date.getTime()) && date.toISOString() === value;
}

/**
 * The last date that `modified_after`, which is strictly greater, may name without leaving out what was modified at `date`.
 *
 * @returns '' when there is none of this form: then nothing may be left out
 */
export function justBefore(date: string): string {
  const earlier = new Date(Date.parse(date) - 1).toISOString();
  return isItemDate(earlier) ? earlier : '';
}
