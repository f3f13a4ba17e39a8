/** The only form that the contract knows: UTC, milliseconds, a `T` and a `Z`. */
const FORM = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

/** Whether `value` is a date of the contract's form, and a day and time that exist. Such dates sort as text. */
export function isItemDate(value: unknown): value is string {
  if (typeof value !== 'string' || !FORM.test(value)) return false;
  const date = new Date(value);
  // A day that does not exist, such as 30 February, is read as another one.
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
