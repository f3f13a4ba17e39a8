/** Describes a class whose decorated fields define the shape of an object. */
export type Shape<T extends object> = new () => T;

/**
 * Selects what `parse` does with fields that the shape does not declare. `refuse`: reports them. `ignore`: omits them.
 */
export type UnknownFields = 'refuse' | 'ignore';

/** Object whose fields are not validated. */
export type Fields = Readonly<Record<string, unknown>>;

/** Returns true for an object that is neither null nor an array. */
export function isJsonObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
