/** Returns a property of a value of any type, or undefined if the value does not have the property. */
export function getProperty(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
