import { v7, validate } from 'uuid';

/** Creates an id (UUIDv7). Ids increase over time, so that lists ordered by id are ordered by time of creation. */
export function newId(): string {
  return v7();
}

/** Returns true if a text is a UUID. Requests with other ids are refused with 404 before a query to the database. */
export function isId(value: string): boolean {
  return validate(value);
}
