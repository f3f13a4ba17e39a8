/** Returns a field of an unvalidated value, or undefined if there is no such field. */
export function getFieldOrUndefined(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
