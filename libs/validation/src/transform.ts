import { Transform as TransformBy, type TransformFnParams } from 'class-transformer';
import { prototypesOf } from './nested-type.js';
import type { Shape } from './parse.js';

const transformed = new WeakMap<object, Set<string | symbol>>();

/** Makes the field's value out of the one that came, before the rules see it. */
export function Transform(make: (field: TransformFnParams) => unknown): PropertyDecorator {
  return (target, property) => {
    const known = transformed.get(target) ?? new Set<string | symbol>();
    transformed.set(target, known.add(property));
    TransformBy(make)(target, property);
  };
}

/** Whether a field of this class or of one above it gets another value than the one that came. */
export function isTransformed(shape: Shape<object>, property: string): boolean {
  return [...prototypesOf(shape)].some((prototype) => transformed.get(prototype)?.has(property) === true);
}
