import { v7, validate } from 'uuid';

/** Creates an id that is greater than all earlier ids, so that lists ordered by id are ordered by time. */
export function newId(): string {
  return v7();
}

/** Returns true when the text can be an id. Anything else is unknown without a query: 404. */
export function isId(value: string): boolean {
  return validate(value);
}
