import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { createJsonSchema, parse, type Shape, ValidationError } from '@quarry/validation';

/**
 * Converts a class with validated fields to a Standard Schema (https://standardschema.dev), which the MCP library
 * expects.
 */
export function createStandardSchema<Value extends object>(shape: Shape<Value>): StandardSchemaWithJSON<Value, Value> {
  const schema = createInlineSchema(shape);
  return {
    '~standard': {
      version: 1,
      vendor: 'quarry',
      validate: (value) => {
        try {
          return { value: parse(shape, value, 'refuse') };
        } catch (error) {
          if (!(error instanceof ValidationError)) throw error;
          return { issues: error.issues.map(({ path, message }) => ({ message: `${path} ${message}`.trim() })) };
        }
      },
      jsonSchema: { input: () => schema, output: () => schema },
    },
  };
}

/**
 * Creates a JSON Schema that contains the schemas of nested classes inline, because references would need more tokens
 * of the model.
 */
function createInlineSchema(shape: Shape<object>): Record<string, unknown> {
  return createJsonSchema(shape, { getSchemaReference: createInlineSchema, nulls: false });
}
