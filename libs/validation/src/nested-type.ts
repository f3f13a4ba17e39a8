type AnyClass = new () => object;
const nestedTypes = new WeakMap<object, Map<string | symbol, () => AnyClass>>();

/**
 * Declares the class of the nested object in a field, or of the elements of a list in a field. Each field with
 * `ValidateNested` requires this decorator.
 */
export function Type(nested: () => AnyClass): PropertyDecorator {
  return (target, property) => {
    const known = nestedTypes.get(target) ?? new Map<string | symbol, () => AnyClass>();
    nestedTypes.set(target, known.set(property, nested));
  };
}

/**
 * Returns the class that `Type` declares for a field, in a class or its superclasses. Returns undefined if the field
 * has no `Type` decorator.
 */
export function getNestedType(shape: AnyClass, property: string): AnyClass | undefined {
  for (const prototype of listPrototypes(shape)) {
    const nested = nestedTypes.get(prototype)?.get(property);
    if (nested !== undefined) return nested();
  }
  return undefined;
}

/** Yields the prototype of a class, then the prototypes of its superclasses. */
export function* listPrototypes(shape: AnyClass): Generator<object> {
  let prototype: unknown = shape.prototype;
  while (typeof prototype === 'object' && prototype !== null && prototype !== Object.prototype) {
    yield prototype;
    prototype = Object.getPrototypeOf(prototype);
  }
}
