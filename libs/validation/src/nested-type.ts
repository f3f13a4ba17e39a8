type AnyClass = new () => object;
const nestedTypes = new WeakMap<object, Map<string | symbol, () => AnyClass>>();

/** The class of a nested object, or of a list's elements. Every `ValidateNested` needs it. */
export function Type(nested: () => AnyClass): PropertyDecorator {
  return (target, property) => {
    const known = nestedTypes.get(target) ?? new Map<string | symbol, () => AnyClass>();
    nestedTypes.set(target, known.set(property, nested));
  };
}

/** @returns what `Type` said of a field of this class or of one above it */
export function nestedTypeOf(shape: AnyClass, property: string): AnyClass | undefined {
  for (const prototype of prototypesOf(shape)) {
    const nested = nestedTypes.get(prototype)?.get(property);
    if (nested !== undefined) return nested();
  }
  return undefined;
}

/** The class's own prototype first. */
export function* prototypesOf(shape: AnyClass): Generator<object> {
  let prototype: unknown = shape.prototype;
  while (typeof prototype === 'object' && prototype !== null && prototype !== Object.prototype) {
    yield prototype;
    prototype = Object.getPrototypeOf(prototype);
  }
}
