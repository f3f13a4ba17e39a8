import { describeTypeMismatch } from './expected-type.js';
import { getFieldRules, type FieldRules, type NestedField } from './field-rules.js';
import { countCharacters } from './max-length.js';
import { isJsonObject, type Fields, type Shape, type UnknownFields } from './shape.js';
import type { Violation } from './validate-with.js';
import { ValidationError, type FieldIssue } from './validation-error.js';

const MAX_SHOWN_CHARACTERS = 60;

/**
 * Validates `value` and converts it to an instance of `shape`. Reads only the fields that the shape declares. The
 * content of a free-form field stays unchanged, whatever field names it contains.
 *
 * @param value any value, such as a parsed JSON body, a queue payload or the environment variables
 * @returns an instance with the declared fields only
 * @throws ValidationError that lists each invalid field with the expected and the found value
 */
export function parse<T extends object>(shape: Shape<T>, value: unknown, unknownFields: UnknownFields): T {
  if (!isJsonObject(value)) {
    throw new ValidationError(shape.name, [{ path: '', message: describeExpectedObject(value) }]);
  }
  const issues: FieldIssue[] = [];
  const instance = createInstance(shape, value, { path: '', unknownFields, issues });
  if (issues.length > 0) throw new ValidationError(shape.name, issues);
  return instance;
}

/** Holds the path of the part that is being validated, and collects the issues that were found. */
interface Position {
  readonly path: string;
  readonly unknownFields: UnknownFields;
  readonly issues: FieldIssue[];
}

function createInstance<T extends object>(shape: Shape<T>, value: Fields, position: Position): T {
  const fields = getFieldRules(shape);
  if (position.unknownFields === 'refuse') {
    for (const name of Object.keys(value)) {
      if (!fields.has(name)) addIssue(position, name, 'is not a field of this object');
    }
  }
  const instance = new shape();
  const own = instance as Record<string, unknown>; // the fields that the shape declares
  for (const { name, transform } of fields.values()) {
    if (Object.hasOwn(value, name))
      own[name] = transform === undefined ? value[name] : transform({ value: value[name] });
  }
  for (const field of fields.values()) validateField(field, own, position);
  return instance;
}

/**
 * Checks the value of a field. Adds an issue if the value is invalid. Replaces nested objects by instances of their
 * shape.
 */
function validateField(field: FieldRules, own: Record<string, unknown>, position: Position): void {
  const { name, conditions, rules, nested } = field;
  const value = own[name];
  if (!conditions.every((condition) => condition(value, own))) return;
  const violated = rules.find((rule) => !rule.isSatisfied(value, own));
  if (violated !== undefined) {
    const violations = violated.findViolations?.(value, own) ?? [];
    const describeViolatedRule = (): string => formatMessage(violated.explain(value, own), value);
    if (violations.length > 0) addViolations(position, name, violations);
    else addIssue(position, name, describeMissingOrWrongType(field, value) ?? describeViolatedRule());
  } else if (nested !== undefined)
    own[name] = createNestedInstance(nested, value, { ...position, path: formatPath(position, name) });
}

/**
 * Returns the problem of a missing value or of a value of the wrong type. Returns undefined for other values. Does not
 * check the type of a field with `Transform`: a message about the type of the transformed value would not fit the given
 * text.
 */
function describeMissingOrWrongType({ rules, transform }: FieldRules, value: unknown): string | undefined {
  if (value === undefined) return 'is required';
  if (transform !== undefined) return undefined;
  const expected = describeTypeMismatch(
    rules.map(({ expectedType }) => expectedType),
    value,
  );
  return expected && `must be ${expected}, found ${describeType(value)}`;
}

/** Returns an instance for a nested object, or a list of instances for a list. Adds an issue for any other value. */
function createNestedInstance({ shape, isList }: NestedField, value: unknown, position: Position): unknown {
  if (!isList) return createElementInstance(shape, value, position);
  if (!Array.isArray(value)) {
    const message = value === undefined ? 'is required' : `must be a list of objects, found ${describeType(value)}`;
    position.issues.push({ path: position.path, message });
    return value;
  }
  return value.map((element: unknown, index) =>
    createElementInstance(shape, element, { ...position, path: formatPath(position, String(index)) }),
  );
}

/** Returns an instance of `shape` for an object. For any other value, adds an issue and returns the value unchanged. */
function createElementInstance(shape: Shape<object>, value: unknown, position: Position): unknown {
  if (isJsonObject(value)) return createInstance(shape, value, position);
  position.issues.push({ path: position.path, message: describeExpectedObject(value) });
  return value;
}

function addViolations(position: Position, name: string, violations: readonly Violation[]): void {
  for (const { path, message, found } of violations) {
    addIssue(position, path === '' ? name : `${name}.${path}`, formatMessage(message, found));
  }
}

function addIssue(position: Position, name: string, message: string): void {
  position.issues.push({ path: formatPath(position, name), message });
}

function formatPath({ path }: Position, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

/** Adds the found value to the message of a rule. */
function formatMessage(message: string, value: unknown): string {
  return `${message}, found ${describeValue(value)}`;
}

function describeExpectedObject(value: unknown): string {
  return `must be an object, found ${describeType(value)}`;
}

/**
 * Describes a value of the wrong type for a message. A text is described as `a string`, because a text such as "7"
 * looks like the expected number.
 */
function describeType(value: unknown): string {
  return typeof value === 'string' ? 'a string' : describeValue(value);
}

/**
 * Describes a found value for a message. Does not show the content of lists and objects, because such content may be
 * secret or large.
 */
function describeValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === 'object') return 'an object';
  if (typeof value !== 'string') return typeof value;
  const text = JSON.stringify(value);
  return text.length > MAX_SHOWN_CHARACTERS
    ? `${text.slice(0, MAX_SHOWN_CHARACTERS).toWellFormed()}… (${countCharacters(value)} characters)`
    : text;
}
