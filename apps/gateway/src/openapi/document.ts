import { createJsonSchema, type JsonSchema, type Shape } from '@quarry/validation';
import { SCOPES, VERSION } from '@quarry/contracts';
import type { RouteDescription, Server } from '../http/declaration.js';
import type { RefTo, ResponseSpec } from '../http/responses.js';
import { SESSION_COOKIE } from '../http/session-cookie.js';
import { createComponents, type Components } from './components.js';
import { buildProblemExamples, buildProblemResponses } from './problem-responses.js';
import { buildRequestBody } from './request-body-object.js';
import { buildTags } from './tags.js';
import { buildWebhookPathItems } from './webhook-items.js';

const DEFAULT_SERVERS: readonly Server[] = ['/api'];

const DESCRIPTION = `Create datastores, fill them with documents, search them, and let agents answer questions from them.

Send every request below \`/api\` with the header \`Authorization: Bearer <API key>\`. A key has scopes (${SCOPES.map((scope) => `\`${scope}\``).join(', ')}) and can be limited to certain agents or datastores. Resources outside its limits are reported as not found.

Errors are \`application/problem+json\` (RFC 9457) with a stable \`code\`. Lists are paginated: a request has the parameters \`limit\` and \`cursor\`, and its response has the fields \`items\` and \`next_cursor\`.

The number of requests per minute is limited for each key. Every response reports the limit, the remaining requests and the seconds until the next window in \`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\`.`;

const SESSION_DESCRIPTION = `The cookie of a session, which \`POST /session\` sets for pages of this origin. Its name is \`__Secure-${SESSION_COOKIE}\` over HTTPS. A request with an API key ignores it.`;

/**
 * Builds the OpenAPI 3.1 document of the given routes. The schemas are those of the classes that validate requests and
 * describe responses.
 */
export function buildOpenApiDocument(operations: readonly RouteDescription[]): JsonSchema {
  const components = createComponents();
  const paths = Object.fromEntries(
    [...Map.groupBy(operations, ({ path }) => path)].map(([path, sameRoutes]) => [
      path,
      buildPathItem(sameRoutes, components),
    ]),
  );
  const webhookItems = buildWebhookPathItems(components);
  return {
    openapi: '3.1.1',
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    info: { title: 'Quarry', version: VERSION, description: DESCRIPTION },
    servers: buildServers(DEFAULT_SERVERS),
    tags: buildTags(operations),
    paths,
    webhooks: Object.fromEntries(
      Object.keys(webhookItems).map((name) => [name, { $ref: `#/components/pathItems/${name}` }]),
    ),
    components: {
      securitySchemes: {
        ApiKey: { type: 'http', scheme: 'bearer', description: 'An API key, such as `qk_…`.' },
        Session: { type: 'apiKey', in: 'cookie', name: SESSION_COOKIE, description: SESSION_DESCRIPTION },
      },
      schemas: components.listSchemas(),
      examples: buildProblemExamples(operations),
      // The field `webhooks` only refers to these path items. If it contained them, openapi-generator would generate
      // classes that do not compile. The generator ignores references in `webhooks`.
      pathItems: webhookItems,
    },
  };
}

function buildPathItem(operations: readonly RouteDescription[], components: Components): JsonSchema {
  const servers = operations[0]?.servers;
  return {
    ...(servers === undefined ? {} : { servers: buildServers(servers) }),
    ...Object.fromEntries(operations.map((operation) => [operation.method, buildOperation(operation, components)])),
  };
}

function buildOperation(operation: RouteDescription, components: Components): JsonSchema {
  const { id, tag, summary, description, body } = operation;
  const getSchemaReference = components.createRefTo('ignore');
  const parameters = [
    ...buildPathParameters(operation),
    ...buildQueryParameters(operation, getSchemaReference),
    ...buildHeaderParameters(operation),
  ];
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description === undefined ? {} : { description }),
    security: buildSecurityRequirements(operation),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: buildRequestBody({ id, body }, components) }),
    responses: {
      ...buildResponses(operation, getSchemaReference),
      ...buildProblemResponses(operation, getSchemaReference),
    },
  };
}

function buildSecurityRequirements({ scopes, servers = DEFAULT_SERVERS }: RouteDescription): JsonSchema[] {
  if (scopes === undefined) return [];
  const needed = scopes.length === 0 ? [[]] : scopes.map((scope) => [scope]);
  // Browsers send the cookie of a session only to paths below `/api`.
  const schemes = servers.includes('/api') ? ['ApiKey', 'Session'] : ['ApiKey'];
  return schemes.flatMap((scheme) => needed.map((list) => ({ [scheme]: list })));
}

function buildPathParameters({ path }: RouteDescription): JsonSchema[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
}

function buildHeaderParameters({ idempotency }: RouteDescription): JsonSchema[] {
  if (idempotency === undefined) return [];
  const description =
    'Identifies this request. For 24 hours, the same request with the same key returns the first response and changes nothing.';
  const schema = { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' };
  return [{ name: 'Idempotency-Key', in: 'header', description, schema }];
}

function buildQueryParameters({ query }: RouteDescription, getSchemaReference: RefTo): JsonSchema[] {
  return query === undefined ? [] : buildParametersOfShape(query, getSchemaReference);
}

/** Builds one OpenAPI Parameter Object for each field of the class with the query parameters of a route. */
function buildParametersOfShape(query: Shape<object>, getSchemaReference: RefTo): JsonSchema[] {
  const { properties, required = [] } = createJsonSchema(query, { getSchemaReference, nulls: false });
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    ...(description === undefined ? {} : { description }),
    ...(required.includes(name) ? { required: true } : {}),
    schema,
  }));
}

function buildResponses(operation: RouteDescription, getSchemaReference: RefTo): JsonSchema {
  const headers: ResponseSpec['headers'] =
    operation.idempotency === undefined
      ? {}
      : {
          'Idempotency-Replayed':
            '`true` if this is the response to an earlier request with the same `Idempotency-Key`.',
        };
  return Object.fromEntries(
    Object.entries(operation.responses).map(([status, response]) => [
      status,
      buildResponse({ ...response, headers: { ...response.headers, ...headers } }, getSchemaReference),
    ]),
  );
}

function buildResponse({ description, content, headers = {} }: ResponseSpec, getSchemaReference: RefTo): JsonSchema {
  const described = Object.entries(headers).map(([name, text]) => [
    name,
    { description: text, schema: { type: 'string' } },
  ]);
  const bodies = Object.entries(content ?? {}).map(([type, schema]) => [type, { schema: schema(getSchemaReference) }]);
  return {
    description,
    ...(described.length === 0 ? {} : { headers: Object.fromEntries(described) as JsonSchema }),
    ...(bodies.length === 0 ? {} : { content: Object.fromEntries(bodies) as JsonSchema }),
  };
}

function buildServers(servers: readonly Server[]): JsonSchema[] {
  return servers.map((url) => ({ url }));
}
