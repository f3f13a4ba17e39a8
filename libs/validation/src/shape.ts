/** Describes a class whose decorated fields define a shape. */
export type Shape<T extends object> = new () => T;

/** Selects how unknown fields are handled. `refuse`: they are errors. `ignore`: they are omitted from the result. */
export type UnknownFields = 'refuse' | 'ignore';

/** Describes an object whose fields are read by their declared names only. */
export type Fields = Readonly<Record<string, unknown>>;

/** Returns true for a JSON object. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
