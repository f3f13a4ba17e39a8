import { createSchema, type JsonSchema } from '@quarry/validation';
import type { Components } from './components.js';
import type { RouteDescription } from '../http/declaration.js';
import type { FormBody, JsonBody } from '../http/request-body.js';

/** Builds the OpenAPI Request Body Object of a route with a JSON body or a form. */
export function buildRequestBody(body: NonNullable<RouteDescription['body']>, components: Components): JsonSchema {
  return {
    required: true,
    content: {
      ...(body.json === undefined ? {} : { 'application/json': { schema: buildJsonSchema(body.json, components) } }),
      ...(body.form === undefined ? {} : { 'multipart/form-data': buildForm(body.form, components) }),
    },
  };
}

function buildJsonSchema({ shapes, unknownFields }: JsonBody<unknown>, components: Components): JsonSchema {
  const refs = shapes.map(components.createRefTo(unknownFields));
  const [only] = refs;
  return refs.length === 1 && only !== undefined ? only : { oneOf: refs };
}

function buildForm({ shape, fileTypes }: FormBody<unknown>, components: Components): JsonSchema {
  const schema = createSchema(shape, { refTo: components.createRefTo('ignore'), nulls: false });
  return {
    schema: {
      ...schema,
      properties: { ...schema.properties, file: { type: 'string', format: 'binary' } },
      required: [...(schema.required ?? []), 'file'],
    },
    encoding: { file: { contentType: fileTypes.join(', ') } },
  };
}
