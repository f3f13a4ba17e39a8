import { getMetadataStorage } from 'class-validator';
import type { Shape } from './shape.js';

/** Returns the names of the fields that a shape declares, including those of its superclasses. */
export function fieldsOf(shape: Shape<object>): readonly string[] {
  const rules = getMetadataStorage().getTargetValidationMetadatas(shape, '', true, false);
  return [...new Set(rules.map(({ propertyName }) => propertyName))];
}
