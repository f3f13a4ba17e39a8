import { schemaOf, type JsonSchema, type Shape } from '@quarry/validation';
import { SCOPES, VERSION } from '@quarry/contracts';
import type { RouteDescription, Server } from '../http/declaration.js';
import type { RefTo, ResponseSpec } from '../http/responses.js';
import { createComponents, type Components } from './components.js';
import { problemResponses } from './problem-responses.js';
import { requestBody } from './request-body-object.js';
import { webhookItems } from './webhooks.js';

const DEFAULT_SERVERS: readonly Server[] = ['/api'];

const DESCRIPTION = `Agents that answer from stored knowledge, datastores that can be searched, and what fills them.

Every request below \`/api\` carries \`Authorization: Bearer <API key>\`. A key has scopes (${SCOPES.map((scope) => `\`${scope}\``).join(', ')}) and may be limited to given agents or datastores; what it cannot reach does not exist for it.

Refusals are \`application/problem+json\` (RFC 9457) with a stable \`code\`. Lists are read page by page: \`limit\` and \`cursor\` go in, \`items\` and \`next_cursor\` come out.

A key may make so many requests a minute: every answer tells in \`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\` (seconds) how it stands.`;

/** Returns OpenAPI 3.1 of these routes, made from the classes that validate them. */
export function openApiDocument(operations: readonly RouteDescription[]): JsonSchema {
  const components = createComponents();
  const paths = Object.fromEntries(
    [...Map.groupBy(operations, ({ path }) => path)].map(([path, those]) => [path, pathItem(those, components)]),
  );
  return {
    openapi: '3.1.1',
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    info: { title: 'Quarry', version: VERSION, description: DESCRIPTION },
    servers: serverObjects(DEFAULT_SERVERS),
    tags: [...new Set(operations.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    webhooks: webhookItems(components),
    components: {
      securitySchemes: { ApiKey: { type: 'http', scheme: 'bearer', description: 'An API key, such as `qk_…`.' } },
      schemas: components.schemas(),
    },
  };
}

function pathItem(operations: readonly RouteDescription[], components: Components): JsonSchema {
  const servers = operations[0]?.servers;
  return {
    ...(servers === undefined ? {} : { servers: serverObjects(servers) }),
    ...Object.fromEntries(operations.map((operation) => [operation.method, operationObject(operation, components)])),
  };
}

function operationObject(operation: RouteDescription, components: Components): JsonSchema {
  const { id, tag, summary, description, scopes, body } = operation;
  const refTo = components.refTo('ignore');
  const parameters = [
    ...pathParameters(operation),
    ...queryParameters(operation, refTo),
    ...headerParameters(operation),
  ];
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description === undefined ? {} : { description }),
    security: security(scopes),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: requestBody(body, components) }),
    responses: { ...responses(operation, refTo), ...problemResponses(operation, refTo) },
  };
}

function security(scopes: RouteDescription['scopes']): JsonSchema[] {
  if (scopes === undefined) return [];
  return scopes.length === 0 ? [{ ApiKey: [] }] : scopes.map((scope) => ({ ApiKey: [scope] }));
}

function pathParameters({ path }: RouteDescription): JsonSchema[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
}

function headerParameters({ idempotency }: RouteDescription): JsonSchema[] {
  if (idempotency === undefined) return [];
  const description =
    'Names this request: for 24 hours the same request with the same key gets the first answer, and makes nothing more.';
  const schema = { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' };
  return [{ name: 'Idempotency-Key', in: 'header', description, schema }];
}

function queryParameters({ query }: RouteDescription, refTo: RefTo): JsonSchema[] {
  return query === undefined ? [] : parametersOf(query, refTo);
}

function parametersOf(query: Shape<object>, refTo: RefTo): JsonSchema[] {
  const { properties, required = [] } = schemaOf(query, { refTo, nulls: false });
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    ...(description === undefined ? {} : { description }),
    ...(required.includes(name) ? { required: true } : {}),
    schema,
  }));
}

function responses(operation: RouteDescription, refTo: RefTo): JsonSchema {
  const headers: ResponseSpec['headers'] =
    operation.idempotency === undefined
      ? {}
      : { 'Idempotency-Replayed': '`true`: this is the answer to an earlier request.' };
  return Object.fromEntries(
    Object.entries(operation.responses).map(([status, response]) => [
      status,
      responseObject({ ...response, headers: { ...response.headers, ...headers } }, refTo),
    ]),
  );
}

function responseObject({ description, content, headers = {} }: ResponseSpec, refTo: RefTo): JsonSchema {
  const described = Object.entries(headers).map(([name, text]) => [
    name,
    { description: text, schema: { type: 'string' } },
  ]);
  const bodies = Object.entries(content ?? {}).map(([type, schema]) => [type, { schema: schema(refTo) }]);
  return {
    description,
    ...(described.length === 0 ? {} : { headers: Object.fromEntries(described) as JsonSchema }),
    ...(bodies.length === 0 ? {} : { content: Object.fromEntries(bodies) as JsonSchema }),
  };
}

function serverObjects(servers: readonly Server[]): JsonSchema[] {
  return servers.map((url) => ({ url }));
}
