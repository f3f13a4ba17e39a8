/**
 * Converts a date in any format that `Date.parse` accepts to ISO 8601. Returns undefined if the text is not a date with a year.
 */
export function toIsoDate(text: string | null | undefined): string | undefined {
  if (text == null || !/\d{4}/.test(text)) return undefined;
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}
