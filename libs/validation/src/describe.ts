import { ValidateIf } from 'class-validator';
import type { JsonSchema } from './json-schema-type.js';
import { listPrototypes } from './nested-type.js';
import type { Shape } from './shape.js';

/**
 * Holds information about a class or field that its validation rules do not express. `text` is the description in the
 * API documentation, and `schema` contains parts of the JSON Schema.
 */
export interface Description {
  readonly text?: string;
  readonly schema?: JsonSchema;
  readonly nullable?: boolean;
  readonly isAlias?: boolean;
}

const CLASS_ITSELF = Symbol('the class itself');
const descriptions = new WeakMap<object, Map<string | symbol, Description>>();

/**
 * Sets the text that describes a class or a field in the API documentation: `description` in the JSON Schema.
 *
 * @param schema parts of the JSON Schema that the rules cannot express, such as that one of two fields is required.
 * These parts override parts that are derived from the rules.
 */
export function Describe(text: string, schema: JsonSchema = {}): ClassDecorator & PropertyDecorator {
  return (target: object, property?: string | symbol) => {
    if (typeof target === 'function') addDescription(getPrototype(target), CLASS_ITSELF, { text, schema });
    else addDescription(target, property ?? CLASS_ITSELF, { text, schema });
  };
}

/** Declares that a field is always present and may be null. In contrast, `IsOptional` also allows an absent field. */
export function OrNull(): PropertyDecorator {
  return (target, property) => {
    ValidateIf((_object, value) => value !== null)(target, property);
    addDescription(target, property, { nullable: true });
  };
}

/**
 * Declares that the decorated field is an alias of `field`: another spelling of the name, which some clients send. JSON
 * Schemas omit the alias, because code generators would derive the same name from both spellings.
 */
export function AliasOf(field: string): PropertyDecorator {
  return (target, property) => {
    addDescription(target, property, { text: `Alias of \`${field}\`.`, isAlias: true });
  };
}

/**
 * Returns the description of a class, without the descriptions of its superclasses. Returns an empty object if the
 * class has none.
 */
export function getDescription(shape: Shape<object>): Description {
  return descriptions.get(getPrototype(shape))?.get(CLASS_ITSELF) ?? {};
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
