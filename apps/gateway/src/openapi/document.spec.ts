import type { JsonSchema } from '@quarry/validation';
import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PROBLEMS } from '../problems.js';
import { buildGatewayApp } from '../server.js';
import { listRegisteredRoutes } from '../testing/registered-routes.js';
import { startTestGateway, type TestGateway } from '../testing/start-test-gateway.js';
import { OPERATIONS, PUBLIC_OPERATIONS } from '../operations/operations.js';
import { generateClientRoutes } from './client-routes.js';
import { buildOpenApiDocument } from './document.js';
import { DOCS_ASSETS } from '../http/documentation-routes.js';
import { ROUTES } from './documented-routes.js';
import { listProblemCodes } from './problem-responses.js';

const DOCUMENT = buildOpenApiDocument(ROUTES);

/** Lists the served routes that the OpenAPI document omits: the documentation page and its files. */
const NOT_DOCUMENTED = ['get /docs', 'get /docs/start.js', ...DOCS_ASSETS.map((asset) => `get /docs/${asset}`)];
/** Lists the problem codes that no route declares, because they occur outside of routes. */
const UNDECLARED_CODES = ['method_not_allowed', 'headers_too_large'];

describe('the OpenAPI document', () => {
  it('the OpenAPI document is valid OpenAPI 3.1', async () => {
    const validator = new Validator();
    const result = await validator.validate(structuredClone(DOCUMENT));
    expect(result.errors ?? []).toEqual([]);
    expect([result.valid, validator.version]).toEqual([true, '3.1']);
  });

  it('the OpenAPI document that is built from the routes equals the committed document in libs/client', async () => {
    const committed = '../../../../libs/client/src/generated/openapi.json';
    await expect(`${JSON.stringify(DOCUMENT, null, 2)}\n`).toMatchFileSnapshot(committed);
  });

  it('the route table in libs/client equals the table that is generated from the operations of the API', async () => {
    await expect(generateClientRoutes([...OPERATIONS, ...PUBLIC_OPERATIONS])).toMatchFileSnapshot(
      '../../../../libs/client/src/generated/routes.ts',
    );
  });

  it('each problem code of the gateway is declared by at least one route, unless the code occurs only outside of routes', () => {
    const given = new Set<string>([...ROUTES.flatMap(listProblemCodes), ...UNDECLARED_CODES]);
    expect(Object.keys(PROBLEMS).filter((code) => !given.has(code))).toEqual([]);
  });

  it('the OpenAPI document declares Idempotency-Key for every operation that creates a resource', () => {
    const makes = ROUTES.filter(({ responses }) => 201 in responses);
    expect(makes.filter(({ idempotency }) => idempotency === undefined).map(({ id }) => id)).toEqual([]);
  });

  it('the OpenAPI document refers to each JSON schema of a request or response by name, instead of containing it inline', () => {
    const bodies = ROUTES.flatMap(({ path, method }) => listBodySchemas(DOCUMENT, path, method));
    expect(bodies.length).toBeGreaterThan(ROUTES.length);
    const isForm = ({ properties = {} }: { readonly properties?: object }): boolean => 'file' in properties;
    const hasParts = (schema: JsonSchema): boolean =>
      ['oneOf', 'anyOf', 'allOf', 'properties'].some((key) => key in schema);
    expect(bodies.filter((schema) => hasParts(schema) && !isForm(schema))).toEqual([]);
    expect(bodies).toContainEqual({ $ref: '#/components/schemas/AgentList' });
  });

  it('each tag of the OpenAPI document has a description, and each webhook request has an `operationId` and only tags that no route has', () => {
    const { tags, webhooks, components } = DOCUMENT as unknown as Described; // the builder returns plain JSON
    expect(tags.filter(({ description }) => description === undefined)).toEqual([]);
    const events = Object.values(components.pathItems).map(({ post }) => post);
    const refs = Object.keys(components.pathItems).map((name) => [name, { $ref: `#/components/pathItems/${name}` }]);
    expect(webhooks).toEqual(Object.fromEntries(refs));
    const routeTags = new Set<string>(ROUTES.map(({ tag }) => tag));
    expect(events.flatMap((event) => event.tags).filter((tag) => routeTags.has(tag))).toEqual([]);
    expect(events.map(({ operationId }) => operationId)).toEqual(['receiveDatasourceSettled', 'receiveWebhookTest']);
  });

  it('the OpenAPI document has one schema for all problem responses, and one example for each problem code that a route declares', () => {
    const { paths, components } = DOCUMENT as unknown as Problems; // the builder returns plain JSON
    const problems = Object.values(paths['/agents/{id}']?.get?.responses ?? {}).flatMap(
      ({ content }) => content?.['application/problem+json'] ?? [],
    );
    expect(problems).toContainEqual({
      schema: { $ref: '#/components/schemas/Problem' },
      examples: { not_found: { $ref: '#/components/examples/not_found' } },
    });
    expect(new Set(Object.keys(components.examples))).toEqual(new Set(ROUTES.flatMap(listProblemCodes)));
    expect(components.examples['not_found']?.value).toMatchObject({ code: 'not_found', status: 404 });
  });

  it('each operation of the OpenAPI document has a unique id', () => {
    const ids = ROUTES.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

interface Described {
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
  readonly webhooks: Readonly<Record<string, { readonly $ref: string }>>;
  readonly components: {
    readonly pathItems: Readonly<Record<string, { readonly post: { operationId?: string; tags: readonly string[] } }>>;
  };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Bodies>>>>;
}

interface Problems {
  readonly paths: Readonly<
    Record<string, { readonly get?: { readonly responses: Readonly<Record<string, { readonly content?: Contents }>> } }>
  >;
  readonly components: { readonly examples: Readonly<Record<string, { readonly value: unknown }>> };
}
type Contents = Readonly<Record<string, unknown>>;

interface Bodies {
  readonly requestBody?: Body;
  readonly responses: Readonly<Record<string, Body>>;
}

interface Body {
  readonly content?: Readonly<Record<string, { readonly schema: JsonSchema & { readonly properties?: object } }>>;
}

function listBodySchemas(document: JsonSchema, path: string, method: string): JsonSchema[] {
  const operation = (document as unknown as Described).paths[path]?.[method]; // the builder returns plain JSON
  const bodies = operation === undefined ? [] : [operation.requestBody ?? {}, ...Object.values(operation.responses)];
  return bodies.flatMap(({ content = {} }) => Object.values(content).map(({ schema }) => schema));
}

describe('the served routes', () => {
  let test: TestGateway;
  beforeAll(async () => {
    test = await startTestGateway();
  }, 60_000);
  afterAll(async () => test.close());

  it('the gateway serves exactly the routes of the OpenAPI document', () => {
    const described = ROUTES.flatMap(({ method, path, servers = ['/api'] }) =>
      servers.map((server) => `${method} ${server === '/' ? '' : server}${path}`),
    );
    const registered = listRegisteredRoutes(buildGatewayApp(test.context, test.gateway));
    // The OpenAPI document omits the OpenAI-compatible API; operations/openai/surface.spec.ts checks its routes.
    const isApi = (route: string): boolean =>
      !NOT_DOCUMENTED.includes(route) && !route.includes(' /v1/') && !route.includes(' /internal/');
    expect(registered.filter(isApi)).toEqual(described.toSorted());
    expect(registered).toEqual(expect.arrayContaining(NOT_DOCUMENTED));
  });

  it.each(['/openapi.json', '/api/openapi.json'])(
    'the gateway serves the OpenAPI document at %s to requests without an API key',
    async (path) => {
      const response = await test.createApi().get(path);
      expect([response.status, response.headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
      expect(response.headers['access-control-allow-origin']).toBe('*');
      expect(response.body).toEqual(DOCUMENT);
    },
  );

  it('the documentation page at /docs loads nothing from other servers', async () => {
    const page = await test.createApi().get('/docs');
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.headers['content-security-policy']).toContain("default-src 'none'");
    expect(page.text).not.toMatch(/https?:|"\/\//);
    const addresses = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address ?? '');
    expect(addresses).toHaveLength(5);
    for (const address of addresses) expect((await test.createApi().get(address)).status).toBe(200);
  });
});
