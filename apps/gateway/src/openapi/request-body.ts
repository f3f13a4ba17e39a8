import { schemaOf, type JsonSchema } from '@quarry/validation';
import type { Components } from './components.js';
import type { Body, FormBody, JsonBody } from './operation.js';

/** OpenAPI's Request Body Object. */
export function requestBody(body: Body, components: Components): JsonSchema {
  return {
    required: true,
    content: {
      ...(body.json === undefined ? {} : { 'application/json': { schema: jsonSchema(body.json, components) } }),
      ...(body.form === undefined ? {} : { 'multipart/form-data': form(body.form, components) }),
    },
  };
}

function jsonSchema({ shapes, unknownFields }: JsonBody, components: Components): JsonSchema {
  const refs = shapes.map(components.refTo(unknownFields));
  const [only] = refs;
  return refs.length === 1 && only !== undefined ? only : { oneOf: refs };
}

function form({ fields, fileTypes }: FormBody, components: Components): JsonSchema {
  const schema = schemaOf(fields, { refTo: components.refTo('ignore'), nulls: false });
  return {
    schema: {
      ...schema,
      properties: { ...schema.properties, file: { type: 'string', format: 'binary' } },
      required: [...(schema.required ?? []), 'file'],
    },
    encoding: { file: { contentType: fileTypes.join(', ') } },
  };
}
