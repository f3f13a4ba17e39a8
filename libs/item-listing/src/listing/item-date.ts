/** The length of the only valid form: UTC with milliseconds, `T` and `Z`. */
const LENGTH = '2026-01-31T23:59:59.999Z'.length;
/** Accepts most dates quickly: the days that exist in every month. */
const COMMON_DATE = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;

/** Returns whether `value` is an existing date in the form of the contract. Such dates sort as text. */
export function isItemDate(value: unknown): value is string {
  // Years with more than four digits are longer.
  if (typeof value !== 'string' || value.length !== LENGTH) return false;
  if (COMMON_DATE.test(value)) return true;
  const date = new Date(value);
  // `toISOString` returns another text for other forms and for days that do not exist, such as 30 February.
  return !Number.isNaN(date.getTime()) && date.toISOString() === value;
}

/**
 * Subtracts a millisecond. `modified_after` is exclusive, so a filter with the result includes items modified at `date`.
 *
 * @returns '' when the result has no valid form. No filter can then be used.
 */
export function subtractMillisecond(date: string): string {
  const earlier = new Date(Date.parse(date) - 1).toISOString();
  return isItemDate(earlier) ? earlier : '';
}
