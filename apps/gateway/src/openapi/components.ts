import { isDeepStrictEqual } from 'node:util';
import { createJsonSchema, type JsonSchema, type Shape, type UnknownFields } from '@quarry/validation';
import type { RefTo } from '../http/responses.js';

/**
 * Collects the schemas that an OpenAPI document refers to: the schemas of classes, and other schemas with a name. Each
 * name occurs once.
 */
export interface Components {
  /**
   * Returns a function that adds the schema of a class and returns a reference to this schema. `unknownFields` decides
   * whether the schema allows additional properties.
   */
  createRefTo(unknownFields: UnknownFields): RefTo;
  /** Returns the collected schemas, keyed by name. */
  listSchemas(): Readonly<Record<string, JsonSchema>>;
}

export function createComponents(): Components {
  const shapes = new Map<string, Shape<object>>();
  const schemas = new Map<string, JsonSchema>();
  const closed = new Set<string>();

  const addSchema = (name: string, schema: JsonSchema): JsonSchema => {
    const known = schemas.get(name) ?? schema;
    if (shapes.has(name) || !isDeepStrictEqual(known, schema))
      throw new Error(`expected one schema per name in the OpenAPI document, found two schemas with the name ${name}`);
    schemas.set(name, schema);
    return buildSchemaReference(name);
  };

  const createRefTo = (unknownFields: UnknownFields): RefTo => {
    const createReference = (shape: Shape<object>): JsonSchema => {
      const { name } = shape;
      const isOther = (shapes.get(name) ?? shape) !== shape;
      if (isOther || (schemas.has(name) && !shapes.has(name)))
        throw new Error(`expected one class per name in the OpenAPI document, found two classes with the name ${name}`);
      const isNew = !shapes.has(name);
      const isNewlyClosed = unknownFields === 'refuse' && !closed.has(name);
      shapes.set(name, shape);
      if (isNewlyClosed) closed.add(name);
      if (isNew || isNewlyClosed) schemas.set(name, createJsonSchema(shape, { getSchemaReference: createReference }));
      return buildSchemaReference(name);
    };
    return Object.assign(createReference, { addSchema });
  };

  return {
    createRefTo,
    listSchemas: () => {
      const all = [...schemas].map(
        ([name, schema]) => [name, closed.has(name) ? forbidAdditionalProperties(schema) : schema] as const,
      );
      return Object.fromEntries(all.toSorted(([left], [right]) => (left < right ? -1 : 1)));
    },
  };
}

function buildSchemaReference(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

function forbidAdditionalProperties(schema: JsonSchema): JsonSchema {
  return { ...schema, additionalProperties: false };
}
