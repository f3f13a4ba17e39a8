import { getFieldRules, type FieldRules } from './field-rules.js';
import { isJsonObject, type Fields, type Shape, type UnknownFields } from './shape.js';

type Check = (value: unknown) => boolean;

/**
 * Returns a function that returns true for a JSON value that `parse` would accept. The function is much faster than
 * `parse`, because it neither describes problems nor copies the value. With `ignore`, unknown fields therefore stay in
 * the value.
 *
 * @throws Error for a shape with transformed fields, or a shape that `getFieldRules` rejects
 */
export function compileShapeCheck<T extends object>(
  shape: Shape<T>,
  unknownFields: UnknownFields,
): (value: unknown) => value is T {
  const check = compileObjectCheck(shape, unknownFields);
  return (value): value is T => check(value);
}

interface FieldCheck extends FieldRules {
  readonly checkNested: Check | undefined;
}

function compileObjectCheck(shape: Shape<object>, unknownFields: UnknownFields): Check {
  const rules = getFieldRules(shape);
  const fields = [...rules.values()].map((field) => compileFieldCheck(shape, field, unknownFields));
  const check: Check = (value) => isJsonObject(value) && fields.every((field) => isFieldValid(field, value));
  if (unknownFields === 'ignore') return check;
  return (value) => isJsonObject(value) && Object.keys(value).every((name) => rules.has(name)) && check(value);
}

function compileFieldCheck(shape: Shape<object>, field: FieldRules, unknownFields: UnknownFields): FieldCheck {
  const { name, transform, nested } = field;
  if (transform !== undefined)
    throw new Error(
      `expected a shape without transformed fields, found ${shape.name}.${name}: use parse for this shape`,
    );
  if (nested === undefined) return { ...field, checkNested: undefined };
  const check = compileObjectCheck(nested.shape, unknownFields);
  return { ...field, checkNested: nested.isList ? (value) => Array.isArray(value) && value.every(check) : check };
}

function isFieldValid({ name, conditions, rules, checkNested }: FieldCheck, object: Fields): boolean {
  const value = object[name];
  for (const condition of conditions) if (!condition(value, object)) return true;
  for (const rule of rules) if (!rule.isSatisfied(value, object)) return false;
  return checkNested === undefined || checkNested(value);
}
