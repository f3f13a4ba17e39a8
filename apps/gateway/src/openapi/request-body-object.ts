import { createJsonSchema, type JsonSchema } from '@quarry/validation';
import type { Components } from './components.js';
import type { RouteDescription } from '../http/declaration.js';
import type { FormBody, JsonBody } from '../http/request-body.js';

/** Builds the OpenAPI Request Body Object of a route with a JSON body or a form. */
export function buildRequestBody(
  { id, body = {} }: Pick<RouteDescription, 'id' | 'body'>,
  components: Components,
): JsonSchema {
  return {
    required: true,
    content: {
      ...(body.json === undefined
        ? {}
        : { 'application/json': { schema: buildJsonBodySchema(id, body.json, components) } }),
      ...(body.form === undefined ? {} : { 'multipart/form-data': buildFormSchema(body.form, components) }),
    },
  };
}

function buildJsonBodySchema(
  id: string,
  { shapes, unknownFields }: JsonBody<unknown>,
  components: Components,
): JsonSchema {
  const refs = shapes.map(components.createRefTo(unknownFields));
  const [only] = refs;
  return refs.length === 1 && only !== undefined
    ? only
    : components.createRefTo(unknownFields).addSchema(`${capitalize(id)}Request`, { oneOf: refs });
}

/**
 * Builds the schema of a form. The schema has no name, because openapi-generator imports the class of a named form but
 * does not generate this class.
 */
function buildFormSchema(
  { shape, fileTypes, fileField: field = 'file' }: FormBody<unknown>,
  components: Components,
): JsonSchema {
  const getSchemaReference = components.createRefTo('ignore');
  const schema = createJsonSchema(shape, { getSchemaReference, nulls: false });
  const form = {
    ...schema,
    properties: { ...schema.properties, [field]: { type: 'string', format: 'binary' } },
    required: [...(schema.required ?? []), field],
  };
  return {
    schema: form,
    encoding: { [field]: { contentType: fileTypes.join(', ') } },
  };
}

function capitalize(id: string): string {
  return id.charAt(0).toUpperCase() + id.slice(1);
}
