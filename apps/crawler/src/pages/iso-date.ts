/** @returns the moment that a text names, ISO 8601; undefined when it names none */
export function isoDate(text: string | null | undefined): string | undefined {
  if (text == null || !/\d{4}/.test(text)) return undefined;
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}
