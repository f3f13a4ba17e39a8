import { rulesOf, type FieldRules, type NestedField } from './field-rules.js';
import { isFields, type Fields, type Shape, type UnknownFields } from './shape.js';
import { ValidationError, type FieldIssue } from './validation-error.js';

const MAX_SHOWN = 60;

/**
 * Converts `value` to the type of `shape`, or throws. Only declared fields are read. The content of a free-form field
 * is returned unchanged, whatever its field names are.
 *
 * @param value any value: a parsed JSON body, a queue payload, an environment
 * @returns an instance with the declared fields only
 * @throws ValidationError with each invalid field, what was expected and what was found
 */
export function parse<T extends object>(shape: Shape<T>, value: unknown, unknownFields: UnknownFields): T {
  if (!isFields(value)) {
    throw new ValidationError(shape.name, [{ path: '', message: expectedObject(value) }]);
  }
  const issues: FieldIssue[] = [];
  const instance = instantiate(shape, value, { path: '', unknownFields, issues });
  if (issues.length > 0) throw new ValidationError(shape.name, issues);
  return instance;
}

/** Describes the current position in the value, and the issues found so far. */
interface Place {
  readonly path: string;
  readonly unknownFields: UnknownFields;
  readonly issues: FieldIssue[];
}

function instantiate<T extends object>(shape: Shape<T>, value: Fields, place: Place): T {
  const fields = rulesOf(shape);
  if (place.unknownFields === 'refuse') {
    for (const name of Object.keys(value)) {
      if (!fields.has(name)) report(place, name, 'is not a field that is known here');
    }
  }
  const instance = new shape();
  const own = instance as Record<string, unknown>; // the fields that the shape declares
  for (const { name, transform } of fields.values()) {
    if (Object.hasOwn(value, name))
      own[name] = transform === undefined ? value[name] : transform({ value: value[name] });
  }
  for (const field of fields.values()) checkField(field, own, place);
  return instance;
}

/** Reports the first rule that the field violates, and replaces nested objects by instances of their shape. */
function checkField({ name, conditions, rules, nested }: FieldRules, own: Record<string, unknown>, place: Place): void {
  const value = own[name];
  if (!conditions.every((condition) => condition(value, own))) return;
  const broken = rules.find((rule) => !rule.isKept(value, own));
  if (broken !== undefined) report(place, name, describe(broken.explain(value, own), name, value));
  else if (nested !== undefined) own[name] = instantiateNested(nested, value, { ...place, path: pathOf(place, name) });
}

function instantiateNested({ shape, isList }: NestedField, value: unknown, place: Place): unknown {
  if (!isList) return instantiateElement(shape, value, place);
  if (!Array.isArray(value)) {
    place.issues.push({ path: place.path, message: `must be a list of objects, found ${show(value)}` });
    return value;
  }
  return value.map((element: unknown, index) =>
    instantiateElement(shape, element, { ...place, path: pathOf(place, String(index)) }),
  );
}

function instantiateElement(shape: Shape<object>, value: unknown, place: Place): unknown {
  if (isFields(value)) return instantiate(shape, value, place);
  place.issues.push({ path: place.path, message: expectedObject(value) });
  return value;
}

function report(place: Place, name: string, message: string): void {
  place.issues.push({ path: pathOf(place, name), message });
}

function pathOf({ path }: Place, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

/** Removes the field name at the start of class-validator's messages, because the path of the issue contains it. */
function describe(message: string, name: string, value: unknown): string {
  const rule = message.startsWith(`${name} `) ? message.slice(name.length + 1) : message;
  return `${rule}, found ${show(value)}`;
}

function expectedObject(value: unknown): string {
  return `must be an object, found ${show(value)}`;
}

/**
 * Describes the found value. Lists and objects are described by kind only, because their content may be secret or
 * large.
 */
function show(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === 'object') return 'an object';
  if (typeof value !== 'string') return typeof value;
  const text = JSON.stringify(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}… (${text.length} characters)` : text;
}
