import { v7, validate } from 'uuid';

/** A new id, greater than those made before: lists that are ordered by id are ordered by time. */
export function newId(): string {
  return v7();
}

/** Whether this can be an id at all. What cannot is nothing we know: 404, and no question to the database. */
export function isId(value: string): boolean {
  return validate(value);
}
