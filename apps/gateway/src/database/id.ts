import { v7, validate } from 'uuid';

/** Creates an id that is greater than all earlier ids, so that lists ordered by id are ordered by time. */
export function newId(): string {
  return v7();
}

/** Returns true when the text has the form of an id. Other texts are answered with 404 without a query. */
export function isId(value: string): boolean {
  return validate(value);
}
