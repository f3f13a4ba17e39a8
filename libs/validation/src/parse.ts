import 'reflect-metadata';
import { plainToInstance } from 'class-transformer';
import { validateSync, type ValidationError as ClassValidatorError } from 'class-validator';
import { ValidationError, type FieldIssue } from './validation-error.js';

/** A class whose decorated fields describe a shape. */
export type Shape<T extends object> = new () => T;

/** `refuse`: an unknown field is an error. `ignore`: an unknown field is left out of the result. */
export type UnknownFields = 'refuse' | 'ignore';

const MAX_SHOWN = 60;

/**
 * Gives `value` the type of `shape`, or throws.
 *
 * @param value anything: a parsed JSON body, a queue payload, an environment
 * @returns an instance that holds the declared fields only
 * @throws ValidationError naming each wrong field, what was expected and what was found
 */
export function parse<T extends object>(shape: Shape<T>, value: unknown, unknownFields: UnknownFields): T {
  if (!isPlainObject(value)) {
    throw new ValidationError(shape.name, [{ path: '', message: `must be an object, found ${show(value)}` }]);
  }
  const instance = plainToInstance(shape, value);
  const found = validateSync(instance, {
    whitelist: true,
    forbidNonWhitelisted: unknownFields === 'refuse',
    forbidUnknownValues: true,
    stopAtFirstError: true,
  });
  if (found.length > 0)
    throw new ValidationError(
      shape.name,
      found.flatMap((error) => toIssues(error, '')),
    );
  return instance;
}

function toIssues(error: ClassValidatorError, parent: string): FieldIssue[] {
  const path = parent === '' ? error.property : `${parent}.${error.property}`;
  const own = Object.entries(error.constraints ?? {}).map(([rule, message]) => ({
    path,
    message: rule === 'whitelistValidation' ? 'is not a field that is known here' : describe(message, error),
  }));
  return [...own, ...(error.children ?? []).flatMap((child) => toIssues(child, path))];
}

/** class-validator starts its messages with the property's name, which `path` says already. */
function describe(message: string, error: ClassValidatorError): string {
  const rule = message.startsWith(`${error.property} `) ? message.slice(error.property.length + 1) : message;
  return `${rule}, found ${show(error.value)}`;
}

function show(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'string' && typeof value !== 'object') return typeof value;
  const text = JSON.stringify(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}… (${text.length} characters)` : text;
}

function isPlainObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
