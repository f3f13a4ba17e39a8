/** A class whose decorated fields describe a shape. */
export type Shape<T extends object> = new () => T;

/** `refuse`: an unknown field is an error. `ignore`: an unknown field is left out of the result. */
export type UnknownFields = 'refuse' | 'ignore';

/** An object whose fields are read by their declared names only. */
export type Fields = Readonly<Record<string, unknown>>;

/** Returns whether a value is an object with fields, as JSON has them. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
