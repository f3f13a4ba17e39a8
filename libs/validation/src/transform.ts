import { listPrototypes } from './nested-type.js';
import type { Shape } from './shape.js';

/** Converts the given value of a field to the value that the rules check. */
export type TransformField = (field: { readonly value: unknown }) => unknown;

const transforms = new WeakMap<object, Map<string | symbol, TransformField>>();

/** Declares a function that converts the value of a field before its rules are checked. */
export function Transform(transform: TransformField): PropertyDecorator {
  return (target, property) => {
    const own = transforms.get(target) ?? new Map<string | symbol, TransformField>();
    transforms.set(target, own.set(property, transform));
  };
}

/**
 * Returns the function that `Transform` declares for a field, in a class or its superclasses. Returns undefined if the
 * field has no `Transform` decorator.
 */
export function getTransform(shape: Shape<object>, property: string): TransformField | undefined {
  for (const prototype of listPrototypes(shape)) {
    const transform = transforms.get(prototype)?.get(property);
    if (transform !== undefined) return transform;
  }
  return undefined;
}
