import type { Response } from 'supertest';
import { beforeEach, describe, expect, it } from 'vitest';
import { eq } from 'drizzle-orm';
import { OLDER_PATHS } from '../http/compatibility/older-paths.js';
import { apiKeys } from '../database/tables/api-keys.js';
import { evaluationDatasets } from '../database/tables/evaluations.js';
import { hashApiKey } from '../keys/key-repository.js';
import { OPERATIONS } from '../operations/operations.js';
import { buildGatewayApp } from '../server.js';
import { createAgent, createDatastore, getStringField, uploadText } from '../testing/create-resources.js';
import { listRegisteredRoutes } from '../testing/registered-routes.js';
import { signIn } from '../testing/sign-in.js';
import type { Api } from '../testing/start-test-gateway.js';
import { setUpTenant } from '../testing/set-up-tenant.js';

const UNKNOWN_ID = '00000000-0000-7000-8000-00000000dead';
const used = setUpTenant();

/** Ids of resources of another organization, keyed by the first segment of their paths. */
interface ForeignIds {
  readonly agents: string;
  readonly datastores: string;
  readonly datasources: string;
  readonly conversations: string;
  readonly 'api-keys': string;
  readonly webhooks: string;
  readonly evaluations: string;
}

/** Describes a request to a route. The request refers to resources of another organization. */
interface RouteRequest {
  readonly body?: (foreignIds: ForeignIds) => object;
  readonly query?: (foreignIds: ForeignIds) => Record<string, string>;
  readonly hasFile?: true;
  /** The current route for the same operation, if the path is an older one. It determines the kind of the resource. */
  readonly current?: string;
}
const site = { type: 'web_site', name: 'a', config: { source_url: 'https://example.org' } };
const REQUESTS: Readonly<Record<string, RouteRequest>> = {
  'post /api/agents': { body: ({ datastores }) => ({ name: 'spy', datastoreIds: [datastores] }) },
  'get /api/agents/{id}': {},
  'patch /api/agents/{id}': { body: () => ({ name: 'mine' }) },
  'delete /api/agents/{id}': {},
  'post /api/agents/{id}/query': { body: () => ({ query: 'q' }) },
  'post /api/agents/{id}/prompt': { body: () => ({ query: 'q' }) },
  'get /api/conversations': { query: ({ agents }) => ({ agentId: agents }) },
  'get /api/conversations/{id}': {},
  'get /api/conversations/{id}/messages': {},
  'put /api/conversations/{id}/messages/{messageId}/feedback': { body: () => ({ rating: 'up' }) },
  'delete /api/conversations/{id}/messages/{messageId}/feedback': {},
  'get /api/conversations/{id}/messages/{messageId}/stream': {},
  'delete /api/conversations/{id}': {},
  'get /api/datastores/{id}': {},
  'get /api/datastores/{id}/events': {},
  'patch /api/datastores/{id}': { body: () => ({ name: 'mine' }) },
  'delete /api/datastores/{id}': {},
  'post /api/datastores/{id}/query': { body: () => ({ query: 'q' }) },
  'post /api/datastores/upsert/{datastoreId}': { body: () => ({ documents: [{ text: 'a', name: 'a' }] }) },
  'post /api/external/datastores/file-upload/{datastoreId}': { hasFile: true },
  'post /api/datasources/dry-run': {
    body: ({ datastores }) => ({
      ...{ type: 'item_listing', datastoreId: datastores, config: { url: 'https://shop.example.com/items' } },
    }),
  },
  'post /api/datasources': { body: ({ datastores }) => ({ ...site, datastoreId: datastores }) },
  'get /api/datasources': { query: ({ datastores }) => ({ datastoreId: datastores }) },
  'get /api/datasources/{id}': {},
  'patch /api/datasources/{id}': { body: () => ({ name: 'mine' }) },
  'delete /api/datasources/{id}': {},
  'post /api/datasources/{id}/sync': {},
  'post /api/datasources/{id}/cancel': {},
  'get /api/datasources/{id}/runs': {},
  'get /api/datasources/{id}/documents': {},
  'get /api/datasources/{id}/events': {},
  'get /api/datasources/{id}/fragments': {},
  'get /api/datasources/{id}/original': {},
  'get /api/datasources/{id}/pages/{page}': {},
  'get /api/api-keys/{id}': {},
  'patch /api/api-keys/{id}': { body: () => ({ name: 'mine' }) },
  'delete /api/api-keys/{id}': {},
  'get /api/webhooks/{id}': {},
  'patch /api/webhooks/{id}': { body: () => ({ enabled: false }) },
  'delete /api/webhooks/{id}': {},
  'get /api/webhooks/{id}/deliveries': {},
  'get /api/webhooks/{id}/deliveries/{deliveryId}': {},
  'post /api/webhooks/{id}/deliveries/{deliveryId}/resend': {},
  'post /api/webhooks/{id}/resend': { body: () => ({ since: '2026-01-01T00:00:00Z' }) },
  'post /api/webhooks/{id}/test': {},
  'post /api/webhooks/{id}/rotate-secret': {},
  'post /api/evaluations': {
    body: ({ datastores }) => ({ datastoreId: datastores, dataset: { questions: [{ question: 'q' }] } }),
  },
  'get /api/evaluations/{id}': {},
  'get /api/evaluations/{id}/questions': {},
  'get /api/evaluations/{id}/compare': { query: ({ evaluations }) => ({ with: evaluations }) },
  'post /api/evaluations/{id}/cancel': {},
  'delete /api/evaluations/{id}': {},
};
/** Maps each route with an older path and an id parameter to a request of its operation. */
const OLDER_REQUESTS: Readonly<Record<string, RouteRequest>> = Object.fromEntries(
  OLDER_PATHS.filter(({ path }) => path.includes('{')).flatMap(({ path, operationId, hasSingleDocument }) => {
    const operation = OPERATIONS.find(({ id }) => id === operationId);
    const current = `${operation?.method ?? ''} /api${operation?.path ?? ''}`;
    const body = hasSingleDocument === true ? { body: () => ({ text: 'a', name: 'a' }) } : {};
    const way = { ...REQUESTS[current], ...body, current };
    return ['', '/api'].map((prefix) => [`${operation?.method ?? ''} ${prefix}${path}`, way] as const);
  }),
);
const ALL_REQUESTS = Object.entries({ ...REQUESTS, ...OLDER_REQUESTS });
/** Routes that return the caller's own resources and have no id as a parameter. */
const LISTS = [
  'get /api/agents',
  'get /api/datastores',
  'get /api/api-keys',
  'get /api/webhooks',
  'get /api/evaluations',
  'get /api/evaluation-datasets',
  'get /api/me',
  'get /api/session',
  'get /api/usage',
  'get /api/usage/days',
];
const OLDER_LISTS = OLDER_PATHS.filter(({ path }) => !path.includes('{')).flatMap(({ path }) => [path, `/api${path}`]);
/** Routes that have no id as a parameter and return no list. */
const WITHOUT_IDS = [
  'post /api/datastores',
  'post /api/api-keys',
  'post /api/webhooks',
  'post /api/session',
  'delete /api/session',
  'post /api/session/codes',
  'get /api/openapi.json',
];
const isOperatorRoute = (route: string): boolean =>
  / \/api\/(organizations|system|model-connections|local-models)/.test(route);

let foreignIds: ForeignIds;
beforeEach(async () => {
  foreignIds = await createTenantResources((await used.test.createTenant()).api);
});

async function createTenantResources(api: Api): Promise<ForeignIds> {
  const datastores = await createDatastore(api);
  const agents = await createAgent(api, { datastoreIds: [datastores] });
  const conversations = getStringField(
    await api.post(`/api/agents/${agents}/query`).send({ query: 'q' }),
    'conversationId',
  );
  const keys = getStringField(await api.post('/api/api-keys').send({ name: 'a', scopes: ['query'] }), 'id');
  const webhooks = getStringField(await api.post('/api/webhooks').send({ url: 'https://example.org/hook' }), 'id');
  const evaluation = { datastoreId: datastores, dataset: { questions: [{ question: 'q' }] } };
  const evaluations = getStringField(await api.post('/api/evaluations').send(evaluation), 'id');
  return {
    ...{ agents, datastores, evaluations },
    datasources: await uploadText(api, datastores),
    conversations,
    'api-keys': keys,
    webhooks,
  };
}

async function sendRequest(
  api: Api,
  route: string,
  { body, query, hasFile, current = route }: RouteRequest,
  named: ForeignIds,
): Promise<Response> {
  const [method = '', path = ''] = route.split(' ');
  const [, currentPath = ''] = current.split(' ');
  const kind = currentPath.startsWith('/api/external') ? 'datastores' : (currentPath.split('/')[2] ?? '');
  const id: unknown = Reflect.get(named, kind);
  const asked = api[method as 'post'](path.replace('{page}', '1').replaceAll(/\{\w+\}/g, String(id))).query(
    query?.(named) ?? {},
  );
  if (hasFile === true) return asked.attach('file', Buffer.from('x'), 'a.txt');
  return body === undefined ? asked : asked.send(body(named));
}

const createUnknownIds = (): ForeignIds => ({
  ...{ agents: UNKNOWN_ID, datastores: UNKNOWN_ID, datasources: UNKNOWN_ID, conversations: UNKNOWN_ID },
  'api-keys': UNKNOWN_ID,
  ...{ webhooks: UNKNOWN_ID, evaluations: UNKNOWN_ID },
});
const getDetailWithoutIds = (response: Response): string =>
  getStringField(response, 'detail').replaceAll(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, '<id>');

describe('the isolation of organizations', () => {
  it.each(OLDER_LISTS)('the older path %s lists no resources of another organization', async (path) => {
    const { status, text } = await used.test.createUndocumentedApi(used.tenant.key).get(path);
    expect(status).toBe(200);
    for (const id of Object.values(foreignIds) as string[]) expect(text).not.toContain(id);
  });

  it('the isolation tests cover every route of the API except the routes of operators', () => {
    const routes = listRegisteredRoutes(buildGatewayApp(used.test.context, used.test.gateway));
    const known = [...Object.keys(REQUESTS), ...LISTS, ...WITHOUT_IDS];
    const registered = routes.filter((route) => route.includes(' /api/') && !isOperatorRoute(route));
    expect(registered).toEqual(known.toSorted());
  });

  it('comparing an evaluation with an evaluation of another organization returns 404', async () => {
    const { evaluations } = await createTenantResources(used.tenant.api);
    const compared = await used.tenant.api
      .get(`/api/evaluations/${evaluations}/compare`)
      .query({ with: foreignIds.evaluations });
    expect([compared.status, getStringField(compared, 'code')]).toEqual([404, 'not_found']);
  });

  it('starting an evaluation with a dataset or an agent of another organization returns 404', async () => {
    const foreign = await used.test.gateway.db.select().from(evaluationDatasets);
    for (const { id: datasetId } of foreign) {
      const { status } = await used.tenant.api
        .post('/api/evaluations')
        .send({ datasetId, datastoreId: used.datastore });
      expect(status).toBe(404);
    }
    const dataset = { questions: [{ question: 'q' }] };
    const asked = await used.tenant.api.post('/api/evaluations').send({ dataset, agentId: foreignIds.agents });
    expect([asked.status, getStringField(asked, 'code')]).toEqual([404, 'not_found']);
    const rated = { dataset: { feedback: { agentId: foreignIds.agents } }, datastoreId: used.datastore };
    const made = await used.tenant.api.post('/api/evaluations').send(rated);
    expect([made.status, getStringField(made, 'code')]).toEqual([404, 'not_found']);
  });
});

const CREDENTIALS: readonly (readonly [string, (key: string) => Promise<Api>])[] = [
  ['an API key', async (key) => Promise.resolve(used.test.createApi(key))],
  ['a session', async (key) => signIn(used.test, key)],
  [
    'an API key for Chaindesk clients',
    async (key) => used.test.createUndocumentedApi(await setChaindeskCompatibility(key)),
  ],
];

async function setChaindeskCompatibility(key: string): Promise<string> {
  const ofKey = eq(apiKeys.hash, hashApiKey(key));
  await used.test.gateway.db.update(apiKeys).set({ compatibility: 'chaindesk' }).where(ofKey);
  // The update bypasses the gateway, whose cache of API keys can therefore contain the old row.
  used.test.gateway.keys.clear();
  return key;
}

describe.each(CREDENTIALS)('an organization that uses %s', (_name, open) => {
  it.each(ALL_REQUESTS)(
    'the route %s returns the same 404 for resources of another organization as for unknown ids',
    async (route, way) => {
      const api = await open(used.tenant.key);
      const response = await sendRequest(api, route, way, foreignIds);
      expect([response.status, getStringField(response, 'code')]).toEqual([404, 'not_found']);
      // The error has the same text as for an unknown id.
      expect(getDetailWithoutIds(response)).toBe(
        getDetailWithoutIds(await sendRequest(api, route, way, createUnknownIds())),
      );
    },
  );

  it.each(ALL_REQUESTS)(
    'the route %s returns 403 or 404 for resources that a limited API key cannot access',
    async (route, way) => {
      const colleagues = await createTenantResources(used.tenant.api);
      const { key } = await used.tenant.addKey({ agentIds: [used.agent], datastoreIds: [used.datastore] });
      const response = await sendRequest(await open(key), route, way, colleagues);
      const isRefusedAnyway = /\/(api-keys|webhooks|evaluations)/.test(route) || route === 'post /api/agents';
      expect([response.status, getStringField(response, 'code')]).toEqual(
        isRefusedAnyway ? [403, 'key_limited'] : [404, 'not_found'],
      );
    },
  );

  it.each([...LISTS, 'get /api/conversations', 'get /api/datasources'])(
    'the route %s lists no resources of another organization',
    async (route) => {
      const { text } = await (await open(used.tenant.key)).get(route.slice('get '.length));
      for (const id of Object.values(foreignIds) as string[]) expect(text).not.toContain(id);
    },
  );
});
