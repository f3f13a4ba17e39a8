const TIMESTAMP = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(Z|[+-]\d\d:\d\d)?)?$/;

/**
 * Parses a date of ISO 8601, such as `2026-11-24`, `2026-11-24T09:30` or `2026-11-24T09:30:00.5+01:00`, into
 * milliseconds since
 * 1970. A date without a time means midnight. A time without an offset is in UTC.
 *
 * @returns undefined for every other text, and for days that do not exist
 */
export function parseTimestamp(text: string): number | undefined {
  const [, day, time = '00:00', offset = 'Z'] = TIMESTAMP.exec(text) ?? [];
  if (day === undefined) return undefined;
  const midnight = Date.parse(`${day}T00:00Z`);
  // Rejects days that do not exist: `Date.parse` converts 30 February to a day of March.
  if (Number.isNaN(midnight) || !new Date(midnight).toISOString().startsWith(day)) return undefined;
  const parsed = Date.parse(`${day}T${time}${offset}`);
  return Number.isNaN(parsed) ? undefined : parsed;
}
