import { getMetadataStorage } from 'class-validator';
import type { Shape } from './shape.js';

/** The fields of the shapes so far. The decorators of a class run once, so they do not change. */
const known = new WeakMap<Shape<object>, readonly string[]>();

/** Returns the names of the fields that a shape declares, including those of its superclasses. */
export function fieldsOf(shape: Shape<object>): readonly string[] {
  const fields = known.get(shape) ?? findFields(shape);
  known.set(shape, fields);
  return fields;
}

function findFields(shape: Shape<object>): readonly string[] {
  const rules = getMetadataStorage().getTargetValidationMetadatas(shape, '', true, false);
  return [...new Set(rules.map(({ propertyName }) => propertyName))];
}
