import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PROBLEMS } from '../problems.js';
import { gatewayApp } from '../server.js';
import { listRegisteredRoutes } from '../testing/registered-routes.js';
import { startTestGateway, type TestGateway } from '../testing/start-test-gateway.js';
import { OPERATIONS } from '../operations/operations.js';
import { generateClientRoutes } from './client-routes.js';
import { buildOpenApiDocument } from './document.js';
import { DOCS_ASSETS } from '../http/docs-page.js';
import { ROUTES } from './documented-routes.js';
import { listProblems } from './problem-responses.js';

const DOCUMENT = buildOpenApiDocument(ROUTES);

/** Routes for people and for other services, which are not part of the API. */
const NOT_DOCUMENTED = ['get /docs', 'get /docs/start.js', ...DOCS_ASSETS.map((asset) => `get /docs/${asset}`)];
/** Problems that occur before or after a route is chosen. */
const NEVER_GIVEN = ['method_not_allowed', 'headers_too_large'];

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1', async () => {
    const validator = new Validator();
    const result = await validator.validate(structuredClone(DOCUMENT));
    expect(result.errors ?? []).toEqual([]);
    expect([result.valid, validator.version]).toEqual([true, '3.1']);
  });

  it('is equal to the committed document of the client', async () => {
    const committed = '../../../../libs/client/src/generated/openapi.json';
    await expect(`${JSON.stringify(DOCUMENT, null, 2)}\n`).toMatchFileSnapshot(committed);
  });

  it('has the same operations as the route table of the client', async () => {
    await expect(generateClientRoutes(OPERATIONS)).toMatchFileSnapshot(
      '../../../../libs/client/src/generated/routes.ts',
    );
  });

  it('contains every problem code of the gateway', () => {
    const given = new Set<string>([...ROUTES.flatMap(listProblems), ...NEVER_GIVEN]);
    expect(Object.keys(PROBLEMS).filter((code) => !given.has(code))).toEqual([]);
  });

  it('declares Idempotency-Key for every operation that creates a resource', () => {
    const makes = ROUTES.filter(({ responses }) => 201 in responses);
    expect(makes.filter(({ idempotency }) => idempotency === undefined).map(({ id }) => id)).toEqual([]);
  });

  it('contains each operation once', () => {
    const ids = ROUTES.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe('the served routes', () => {
  let test: TestGateway;
  beforeAll(async () => {
    test = await startTestGateway();
  }, 60_000);
  afterAll(async () => test.close());

  it('are exactly the documented routes', () => {
    const described = ROUTES.flatMap(({ method, path, servers = ['/api'] }) =>
      servers.map((server) => `${method} ${server === '/' ? '' : server}${path}`),
    );
    const registered = listRegisteredRoutes(gatewayApp(test.context, test.gateway));
    const isApi = (route: string): boolean => !NOT_DOCUMENTED.includes(route) && !route.includes(' /internal/');
    expect(registered.filter(isApi)).toEqual(described.toSorted());
    expect(registered).toEqual(expect.arrayContaining(NOT_DOCUMENTED));
  });

  it.each(['/openapi.json', '/api/openapi.json'])('include the document at %s, without a key', async (path) => {
    const response = await test.api().get(path);
    expect([response.status, response.headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
    expect(response.headers['access-control-allow-origin']).toBe('*');
    expect(response.body).toEqual(DOCUMENT);
  });

  it('include a documentation page that loads nothing from other servers', async () => {
    const page = await test.api().get('/docs');
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.headers['content-security-policy']).toContain("default-src 'none'");
    expect(page.text).not.toMatch(/https?:|"\/\//);
    const addresses = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address ?? '');
    expect(addresses).toHaveLength(5);
    for (const address of addresses) expect((await test.api().get(address)).status).toBe(200);
  });
});
