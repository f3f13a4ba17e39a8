import { getMetadataStorage } from 'class-validator';
import type { Shape } from './shape.js';

/** @returns the names of the fields that a shape declares, those of the classes it extends included */
export function fieldsOf(shape: Shape<object>): readonly string[] {
  const rules = getMetadataStorage().getTargetValidationMetadatas(shape, '', true, false);
  return [...new Set(rules.map(({ propertyName }) => propertyName))];
}
