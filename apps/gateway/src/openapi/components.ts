import { createSchema, type JsonSchema, type Shape, type UnknownFields } from '@quarry/validation';
import type { RefTo } from '../http/responses.js';

/** Collects the classes that an OpenAPI document refers to, and describes each once as a schema under its name. */
export interface Components {
  /**
   * Returns a function that adds a class and returns a reference to it. `unknownFields` decides whether additional properties are
   * allowed.
   */
  createRefTo(unknownFields: UnknownFields): RefTo;
  /** Returns the schemas of the collected classes, by class name. */
  listSchemas(): Readonly<Record<string, JsonSchema>>;
}

export function createComponents(): Components {
  const shapes = new Map<string, Shape<object>>();
  const schemas = new Map<string, JsonSchema>();
  const closed = new Set<string>();

  const createRefTo = (unknownFields: UnknownFields): RefTo => {
    const createReference: RefTo = (shape) => {
      const { name } = shape;
      if ((shapes.get(name) ?? shape) !== shape)
        throw new Error(`expected one class per name in the OpenAPI document, found two with the name ${name}`);
      const isNew = !shapes.has(name);
      const isNewlyClosed = unknownFields === 'refuse' && !closed.has(name);
      shapes.set(name, shape);
      if (isNewlyClosed) closed.add(name);
      if (isNew || isNewlyClosed) schemas.set(name, createSchema(shape, { refTo: createReference }));
      return { $ref: `#/components/schemas/${name}` };
    };
    return createReference;
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

function forbidAdditionalProperties(schema: JsonSchema): JsonSchema {
  return { ...schema, additionalProperties: false };
}
