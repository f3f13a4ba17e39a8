import { ValidateIf } from 'class-validator';
import type { JsonSchema } from './json-schema-type.js';
import { listPrototypes } from './nested-type.js';
import type { Shape } from './shape.js';

/**
 * Holds the parts of a description that validation rules do not express: its text, its JSON Schema, whether null is allowed,
 * and whether it is an alias.
 */
export interface Description {
  readonly text?: string;
  readonly schema?: JsonSchema;
  readonly nullable?: boolean;
  readonly isAlias?: boolean;
}

const WHOLE = Symbol('the class itself');
const descriptions = new WeakMap<object, Map<string | symbol, Description>>();

/**
 * Sets the description of a class or a field for readers of the API. It becomes the `description` in its JSON Schema.
 *
 * @param schema adds what the rules cannot express, such as that one of two fields is required; it overrides the rules
 */
export function Describe(text: string, schema: JsonSchema = {}): ClassDecorator & PropertyDecorator {
  return (target: object, property?: string | symbol) => {
    if (typeof target === 'function') addDescription(getPrototype(target), WHOLE, { text, schema });
    else addDescription(target, property ?? WHOLE, { text, schema });
  };
}

/** Declares a field that is always present and may be null. (`IsOptional` is for fields that may also be absent.) */
export function OrNull(): PropertyDecorator {
  return (target, property) => {
    ValidateIf((_object, value) => value !== null)(target, property);
    addDescription(target, property, { nullable: true });
  };
}

/**
 * Declares another spelling of `field`, which some clients send. JSON Schemas omit it, because code generators derive one
 * name from both spellings.
 */
export function AliasOf(field: string): PropertyDecorator {
  return (target, property) => {
    addDescription(target, property, { text: `Alias of \`${field}\`.`, isAlias: true });
  };
}

/** Returns the description of a class. Subclasses do not inherit it. */
export function getDescription(shape: Shape<object>): Description {
  return descriptions.get(getPrototype(shape))?.get(WHOLE) ?? {};
}

export function getFieldDescription(shape: Shape<object>, property: string): Description {
  for (const prototype of listPrototypes(shape)) {
    const description = descriptions.get(prototype)?.get(property);
    if (description !== undefined) return description;
  }
  return {};
}

function addDescription(prototype: object, property: string | symbol, description: Description): void {
  const known = descriptions.get(prototype) ?? new Map<string | symbol, Description>();
  descriptions.set(prototype, known.set(property, { ...known.get(property), ...description }));
}

function getPrototype(shape: unknown): object {
  return (shape as { readonly prototype: object }).prototype; // decorators receive the class as a plain function
}
