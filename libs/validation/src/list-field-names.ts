import { getMetadataStorage } from 'class-validator';
import type { Shape } from './shape.js';

/** Caches the field names of each shape. They never change, because the decorators of a class run only once. */
const cache = new WeakMap<Shape<object>, readonly string[]>();

/** Returns the names of the fields that a shape declares, including those of its superclasses. */
export function listFieldNames(shape: Shape<object>): readonly string[] {
  const fields = cache.get(shape) ?? findDeclaredFields(shape);
  cache.set(shape, fields);
  return fields;
}

function findDeclaredFields(shape: Shape<object>): readonly string[] {
  const rules = getMetadataStorage().getTargetValidationMetadatas(shape, '', true, false);
  return [...new Set(rules.map(({ propertyName }) => propertyName))];
}
