import { v7, validate } from 'uuid';

/** Creates an id (UUIDv7). Ids increase over time, so that lists ordered by id are ordered by time of creation. */
export function newId(): string {
  return v7();
}

/** Returns true if a text is a UUID. Any other id in a request is refused with 404, without a database query. */
export function isId(value: string): boolean {
  return validate(value);
}

const MAX_ID_TIME_MS = 2 ** 48 - 1;

/** Returns the lowest id (UUIDv7) that can be created at a time. @param timeMs milliseconds since 1970-01-01 */
export function getLowestIdAtTime(timeMs: number): string {
  const digits = Math.min(Math.max(timeMs, 0), MAX_ID_TIME_MS).toString(16).padStart(12, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8)}-7000-8000-000000000000`;
}

/** Returns the time at which an id (UUIDv7) was created, in milliseconds since 1970-01-01. */
export function getIdTime(id: string): number {
  return Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);
}
