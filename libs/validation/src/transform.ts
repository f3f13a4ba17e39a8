import { listPrototypes } from './nested-type.js';
import type { Shape } from './shape.js';

/** Returns the value of a field for the given value. */
export type TransformField = (field: { readonly value: unknown }) => unknown;

const transforms = new WeakMap<object, Map<string | symbol, TransformField>>();

/** Replaces the value of a field before its rules are checked. */
export function Transform(transform: TransformField): PropertyDecorator {
  return (target, property) => {
    const own = transforms.get(target) ?? new Map<string | symbol, TransformField>();
    transforms.set(target, own.set(property, transform));
  };
}

/** Returns what `Transform` declares for a field of this class or of a superclass. */
export function getTransform(shape: Shape<object>, property: string): TransformField | undefined {
  for (const prototype of listPrototypes(shape)) {
    const transform = transforms.get(prototype)?.get(property);
    if (transform !== undefined) return transform;
  }
  return undefined;
}
