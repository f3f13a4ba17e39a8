import { SCOPES } from '@quarry/contracts';
import type { Test } from 'supertest';
import { describe, expect, it, onTestFinished } from 'vitest';
import { buildGatewayApp } from '../../server.js';
import { createAgent } from '../../testing/create-resources.js';
import { FILE_CALLS } from '../../testing/file-calls.js';
import { OPENAI_CALLS, type OpenAiIds } from '../../testing/openai-calls.js';
import { listRegisteredRoutes } from '../../testing/registered-routes.js';
import { signIn } from '../../testing/sign-in.js';
import { type Api, startTestGateway, TEST_SETTINGS } from '../../testing/start-test-gateway.js';
import { setUpTenant } from '../../testing/set-up-tenant.js';
import { OPENAI_OPERATIONS } from './routes.js';

const used = setUpTenant();

const NO_IDS: OpenAiIds = { model: '', response: '', file: '', store: '', batch: '', upload: '', part: '' };

/** Sends a valid request to an operation. @param ids the resources to which the request refers */
function sendRequest(id: string, api: Api, ids: Partial<OpenAiIds>): Test {
  const callOperation = OPENAI_CALLS.get(id);
  if (callOperation === undefined) throw new Error(`expected a call of ${id} in OPENAI_CALLS, found none`);
  return callOperation(api, { ...NO_IDS, ...ids });
}

describe('the OpenAI-compatible API', () => {
  it('the router of the OpenAI-compatible API serves exactly the declared operations', () => {
    const registered = listRegisteredRoutes(buildGatewayApp(used.test.context, used.test.gateway));
    const declared = OPENAI_OPERATIONS.map(({ method, path }) => `${method} /v1${path}`);
    expect(registered.filter((route) => route.includes(' /v1/'))).toEqual(declared.toSorted());
  });

  it('the OpenAI-compatible API refuses a missing and a wrong key with 401', async () => {
    for (const api of [used.test.createApi(), used.test.createApi('qk_wrong')]) {
      const response = await api.get('/v1/models');
      expect([response.status, response.body]).toMatchObject([
        401,
        { error: { type: 'invalid_request_error', code: 'invalid_api_key' } },
      ]);
      expect(response.headers['www-authenticate']).toBe('Bearer');
    }
  });

  it('the OpenAI-compatible API refuses requests above the rate limit with 429', async () => {
    const limited = await startTestGateway({ settings: { ...TEST_SETTINGS, requestsPerMinute: 1 } });
    onTestFinished(() => limited.close());
    const { api } = await limited.createTenant();
    await api.get('/v1/models');
    const response = await api.get('/v1/models');
    expect([response.status, response.body]).toMatchObject([
      429,
      { error: { type: 'rate_limit_error', code: 'rate_limit_exceeded' } },
    ]);
    expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
    expect(response.headers).not.toHaveProperty('x-should-retry');
  });

  it('the OpenAI-compatible API refuses an unknown path with 404, and an unsupported method with 405', async () => {
    const { api } = used.tenant;
    expect(await api.get('/v1/assistants')).toMatchObject({
      status: 404,
      body: { error: { message: expect.stringContaining('/v1/assistants') as string, code: 'not_found', param: null } },
    });
    const refused = await api.put('/v1/models');
    expect([refused.status, refused.headers['allow'], refused.body]).toMatchObject([
      405,
      'GET, HEAD',
      { error: { code: 'method_not_allowed' } },
    ]);
  });

  it('a request to a path of the OpenAI-compatible API without /v1 is refused with a message that contains the correct base path', async () => {
    const { api } = used.tenant;
    for (const path of ['/chat/completions', '/api/chat/completions', '/api/vector_stores/vs_1/search']) {
      expect(await api.post(path).send({})).toMatchObject({
        status: 404,
        body: { error: { message: expect.stringContaining('base URL of the client to <address>/v1') as string } },
      });
    }
    for (const path of ['/models', '/api/models', '/vector_stores', '/files/file-1']) {
      const response = await api.get(path).set('Accept', 'application/json');
      expect(response, path).toMatchObject({
        status: 404,
        body: { error: { code: 'not_found', message: expect.stringContaining('<address>/v1') as string } },
      });
    }
    expect((await api.post('/api/unknown').send({})).body).toMatchObject({ error: 'NOT_FOUND' });
  });

  it('the OpenAI-compatible API refuses a body that is too large, that is not JSON, or that has another content type', async () => {
    const { api } = used.tenant;
    const large = { model: 'm', messages: [{ role: 'user', content: 'x'.repeat(1_100_000) }] };
    expect((await api.post('/v1/chat/completions').send(large)).status).toBe(413);
    const postRequest = () => api.post('/v1/chat/completions');
    expect((await postRequest().type('application/json').send('{')).status).toBe(400);
    expect((await postRequest().type('text/plain').send('{}')).status).toBe(415);
  });

  it.each(OPENAI_OPERATIONS)('$id requires one of the scopes $scopes', async ({ method, path, scopes }) => {
    const others = SCOPES.filter((scope) => !scopes.includes(scope));
    const { key } = await used.tenant.addKey({ scopes: others });
    const refused = await used.test.createApi(key)[method](`/v1${path.replaceAll(/\{\w+\}/g, 'x')}`);
    expect([refused.status, refused.body]).toMatchObject([403, { error: { code: 'insufficient_scope' } }]);
  });
});

describe('the isolation of organizations in the OpenAI-compatible API', () => {
  const UNKNOWN_ID = '00000000-0000-7000-8000-00000000dead';
  const MODEL_CALLS = ['retrieveModel', 'deleteModel', 'createChatCompletion', 'createResponse', 'countInputTokens'];
  /** The operations on a response. The last column is the HTTP status that the owner of the response receives. */
  const RESPONSE_CALLS = [
    ['retrieveResponse', 200],
    ['listInputItems', 200],
    ['cancelResponse', 400],
    ['deleteResponse', 200],
  ] as const;
  /** Operations whose requests refer to no resource of an organization. */
  const WITHOUT_RESOURCE = [
    'compactResponse',
    'createEmbedding',
    'createFile',
    'createUpload',
    'listFiles',
    'listModels',
    'listVectorStores',
  ];

  it('the isolation tests cover every operation of the OpenAI-compatible API', () => {
    const covered = [...[...RESPONSE_CALLS, ...FILE_CALLS].map(([id]) => id), ...MODEL_CALLS, ...WITHOUT_RESOURCE];
    expect(covered.toSorted()).toEqual(OPENAI_OPERATIONS.map(({ id }) => id).toSorted());
  });

  it.each(MODEL_CALLS)(
    '%s does not find an agent of another organization, and responds as for an unknown agent',
    async (id) => {
      const callOperation = (caller: Api, model: string): Test => sendRequest(id, caller, { model });
      const { api } = await used.test.createTenant();
      const foreign = await createAgent(api, { name: 'Foreign guide' });
      const unknown = await callOperation(used.tenant.api, `agent:${UNKNOWN_ID}`);
      expect([unknown.status, unknown.body]).toMatchObject([404, { error: { code: 'model_not_found' } }]);
      for (const model of [`agent:${foreign}`, 'foreign-guide', 'agent:foreign-guide']) {
        const { status, text } = await callOperation(used.tenant.api, model);
        expect([status, text.replaceAll(model, 'x')]).toEqual([
          404,
          unknown.text.replaceAll(`agent:${UNKNOWN_ID}`, 'x'),
        ]);
      }
      expect((await callOperation(api, 'foreign-guide')).status).toBe(200);
    },
  );

  it.each(MODEL_CALLS)('%s does not find an agent that a limited key cannot access', async (id) => {
    const other = await createAgent(used.tenant.api, { name: 'Other guide' });
    const { key } = await used.tenant.addKey({ agentIds: [used.agent] });
    for (const model of [`agent:${other}`, 'other-guide'])
      expect((await sendRequest(id, used.test.createApi(key), { model })).status).toBe(404);
  });

  it.each(RESPONSE_CALLS)(
    '%s does not find a response of another organization, or of an agent that a limited key cannot access',
    async (operation, own) => {
      const call = (caller: Api, response: string): Test => sendRequest(operation, caller, { response });
      const owner = await used.test.createTenant();
      const agent = await createAgent(owner.api, { name: 'Foreign guide' });
      const asked = await owner.api.post('/v1/responses').send({ model: `agent:${agent}`, input: 'q' });
      const { id } = asked.body as { id: string }; // checked by the last call
      const limited = await owner.addKey({ agentIds: [await createAgent(owner.api)] });
      const unknown = await call(used.tenant.api, `resp_${UNKNOWN_ID}`);
      expect([unknown.status, unknown.body]).toMatchObject([404, { error: { code: 'not_found' } }]);
      for (const api of [used.tenant.api, used.test.createApi(limited.key)]) {
        const { status, text } = await call(api, id);
        expect([status, text.replaceAll(id.slice('resp_'.length), UNKNOWN_ID)]).toEqual([404, unknown.text]);
      }
      expect((await call(used.tenant.api, 'resp_x')).status).toBe(404);
      expect((await call(owner.api, id)).status).toBe(own);
    },
  );

  it('GET /v1/models lists only the agents of the organization of the caller', async () => {
    const foreign = await createAgent((await used.test.createTenant()).api);
    expect((await used.tenant.api.get('/v1/models')).text).not.toContain(foreign);
  });
});

it('a session can call the OpenAI-compatible API, but only from pages of the same origin', async () => {
  const page = await signIn(used.test, used.tenant.key);
  expect((await page.get('/v1/models')).status).toBe(200);
  const refused = await page.get('/v1/models').set('Sec-Fetch-Site', 'cross-site');
  expect([refused.status, refused.body]).toMatchObject([403, { error: { code: 'cross_origin_request' } }]);
});

const OPEN_PATHS = [
  '/models',
  '/models/default',
  '/chat/completions',
  '/responses',
  '/responses/resp_x',
  '/embeddings',
];

it.each(OPEN_PATHS)('web pages of other origins can send requests of an SDK with an API key to /v1%s', async (path) => {
  const api = used.test.createApi();
  const preflight = await api.options(`/v1${path}`).set('Origin', 'https://shop.example');
  expect([preflight.status, preflight.headers['access-control-allow-origin']]).toEqual([204, '*']);
  const allowed = String(preflight.headers['access-control-allow-headers']).split(', ');
  // The wildcard permits the headers X-Stainless-… of the SDKs. It does not permit Authorization.
  expect(allowed).toEqual(expect.arrayContaining(['Authorization', '*']));
  expect(preflight.headers).not.toHaveProperty('access-control-allow-credentials');
  const refused = await api.get(`/v1${path}`);
  expect([refused.status, refused.headers['access-control-allow-origin']]).toEqual([401, '*']);
  expect(refused.headers['access-control-expose-headers']).toContain('X-Should-Retry');
});

it.each(['/files', '/vector_stores', '/uploads'])(
  'web pages of other origins cannot send requests to /v1%s',
  async (path) => {
    const preflight = await used.test.createApi().options(`/v1${path}`).set('Origin', 'https://shop.example');
    expect(preflight.headers).not.toHaveProperty('access-control-allow-origin');
  },
);
