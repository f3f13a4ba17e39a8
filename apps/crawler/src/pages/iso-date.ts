/** Converts a date to ISO 8601. Returns undefined if the text is no date with a year. */
export function toIsoDate(text: string | null | undefined): string | undefined {
  if (text == null || !/\d{4}/.test(text)) return undefined;
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}
