import { SCOPES, type ModelTestResponse } from '@quarry/contracts';
import { beforeEach, describe, expect, it } from 'vitest';
import { modelConnections } from '../database/tables/model-connections.js';
import { createStoredConnections } from '../model-connections/stored-connections.js';
import { setUpTenant } from '../testing/set-up-tenant.js';

const KEY = 'sk-of-the-operator-wxyz';
const SERVER = { baseUrl: 'http://127.0.0.1:11434/v1', model: 'llama3.2' };
const CUSTOM = '/api/model-connections/custom';
const OPENAI = '/api/model-connections/openai';

const used = setUpTenant();
beforeEach(async () => {
  used.test.query.environmentProviders = [];
  used.test.query.testOutcome = { model: 'openai/gpt-4o-mini', durationMs: 5, ...SUCCESS };
  used.test.query.tests.length = 0;
  used.test.query.questions.length = 0;
  used.test.query.previews.length = 0;
  await used.test.gateway.db.delete(modelConnections);
  used.test.gateway.storedConnections.reload();
});

const SUCCESS = { failure: null, status: null, networkError: null };

function getCode(response: { readonly body: unknown }): string {
  return (response.body as { readonly code: string }).code; // a problem
}

function getDetail(response: { readonly body: unknown }): string {
  return (response.body as { readonly detail: string }).detail; // a problem
}

describe('the model connections', () => {
  it('the API stores the key of a provider encrypted, and returns only the last characters of the key', async () => {
    const {
      test,
      tenant: { api },
    } = used;
    const stored = await api.put(OPENAI).send({ apiKey: KEY });
    expect(stored.status).toBe(200);
    expect(stored.body).toMatchObject({ provider: 'openai', source: 'api', keyHint: '…wxyz', model: null });
    const listed = await api.get('/api/model-connections');
    expect(listed.body).toMatchObject({ defaultModel: 'openai/default', connections: [stored.body] });
    const [row] = await test.gateway.db.select().from(modelConnections);
    expect(row?.encryptedKey).toMatch(/^s1\./);
    expect(JSON.stringify([listed.body, stored.body, row, test.logged])).not.toContain(KEY);
  });

  it('the gateway sends a stored model connection to the query service with each question until the connection is deleted', async () => {
    const {
      test,
      tenant: { api },
    } = used;
    const { agent } = used;
    await api.put(OPENAI).send({ apiKey: KEY });
    await api.post(`/api/agents/${agent}/query`).send({ query: 'q' });
    await api.post(`/api/agents/${agent}/prompt`).send({ query: 'q' });
    expect(await api.delete(OPENAI)).toMatchObject({ status: 204 });
    await api.post(`/api/agents/${agent}/query`).send({ query: 'q' });
    expect(test.query.questions.map(({ modelConnections: sent }) => sent)).toEqual([
      [{ provider: 'openai', apiKey: KEY }],
      undefined,
    ]);
    expect(test.query.previews[0]?.modelConnections).toHaveLength(1);
    expect(await test.gateway.db.select().from(modelConnections)).toEqual([]);
  });

  it('the gateway sends model connections to the query service with a search if `rewrite_query` is true, and otherwise omits them', async () => {
    const { test, tenant, datastore } = used;
    await tenant.api.put(OPENAI).send({ apiKey: KEY });
    for (const rewrite_query of [true, false])
      await tenant.api.post(`/v1/vector_stores/vs_${datastore}/search`).send({ query: 'q', rewrite_query });
    const sent = test.query.searches
      .slice(-2)
      .map(({ rewrite, modelConnections: connections }) => [rewrite, connections]);
    expect(sent).toEqual([
      [true, [{ provider: 'openai', apiKey: KEY }]],
      [undefined, undefined],
    ]);
  });

  it('another gateway reads the stored model connections, and omits a connection whose key it cannot decrypt', async () => {
    const {
      test,
      tenant: { api },
    } = used;
    await api.put(CUSTOM).send(SERVER);
    await api.put(OPENAI).send({ apiKey: KEY });
    const { db, log } = test.gateway;
    const other = createStoredConnections({ db, log, secretCipher: test.secretCipher });
    expect(await other.read()).toEqual([
      { provider: 'custom', ...SERVER },
      { provider: 'openai', apiKey: KEY },
    ]);
    const secretCipher = {
      decrypt: () => {
        throw new Error('another key');
      },
    };
    expect(await createStoredConnections({ db, log, secretCipher }).read()).toEqual([
      { provider: 'custom', ...SERVER },
    ]);
  });

  it('the API refuses to change a model provider that environment variables configure', async () => {
    const {
      test,
      tenant: { api },
    } = used;
    const environment = {
      provider: 'openai',
      source: 'environment',
      baseUrl: 'https://o.example/v1',
      model: null,
    } as const;
    test.query.environmentProviders = [environment];
    const put = await api.put(OPENAI).send({ apiKey: KEY });
    expect([put.status, getCode(put)]).toEqual([409, 'set_by_environment']);
    expect(getCode(await api.delete(OPENAI))).toBe('set_by_environment');
    expect((await api.get('/api/model-connections')).body).toMatchObject({
      connections: [{ ...environment, keyHint: null, updatedAt: null }],
    });
  });

  it('the API returns 404 for an unknown provider, and for deleting a connection that does not exist', async () => {
    const { api } = used.tenant;
    expect((await api.put('/api/model-connections/mistral').send({ apiKey: KEY })).status).toBe(404);
    expect((await api.put('/api/model-connections/4').send({ apiKey: KEY })).status).toBe(404);
    expect((await api.delete(OPENAI)).status).toBe(404);
  });

  it('every operation on model connections requires the scope `operate`', async () => {
    const { key } = await used.tenant.addKey({ scopes: SCOPES.filter((scope) => scope !== 'operate') });
    const api = used.test.createApi(key);
    expect((await api.get('/api/model-connections')).status).toBe(403);
    expect((await api.get('/api/local-models')).status).toBe(403);
    expect((await api.put(OPENAI).send({ apiKey: KEY })).status).toBe(403);
    expect((await api.post(`${OPENAI}/test`).send({ apiKey: KEY })).status).toBe(403);
  });

  it('GET /api/local-models finds no models when the services run on several machines', async () => {
    expect((await used.tenant.api.get('/api/local-models')).body).toEqual({
      ...{ status: 'not_supported', baseUrl: null, models: [] },
    });
  });
});

describe('the key of a model connection', () => {
  it('a change of the model of a model connection keeps the stored key, but a new address requires a key or `apiKey: null`', async () => {
    const {
      test,
      tenant: { api },
    } = used;
    await api.put(CUSTOM).send({ ...SERVER, apiKey: KEY });
    expect((await api.put(CUSTOM).send({ model: 'qwen3' })).body).toMatchObject({ keyHint: '…wxyz', model: 'qwen3' });
    const moved = { baseUrl: 'http://127.0.0.1:9999/v1' };
    for (const response of [await api.put(CUSTOM).send(moved), await api.post(`${CUSTOM}/test`).send(moved)]) {
      expect([response.status, response.body]).toMatchObject([400, { errors: [{ path: 'apiKey' }] }]);
    }
    expect(test.query.tests).toEqual([]);
    expect((await api.put(CUSTOM).send({ ...moved, apiKey: null })).body).toMatchObject({ ...moved, keyHint: null });
  });

  it.each([
    [OPENAI, {}, 'apiKey'],
    [OPENAI, { apiKey: null }, 'apiKey'],
    [OPENAI, { apiKey: 'two words' }, 'apiKey'],
    [OPENAI, { apiKey: KEY, baseUrl: SERVER.baseUrl }, 'baseUrl'],
    [OPENAI, { apiKey: KEY, model: 'gpt-9' }, 'model'],
    [CUSTOM, { model: 'm' }, 'baseUrl'],
    [CUSTOM, { baseUrl: SERVER.baseUrl }, 'model'],
    [CUSTOM, { ...SERVER, baseUrl: 'no address' }, 'baseUrl'],
    [CUSTOM, { ...SERVER, baseUrl: 'ftp://example.com/v1' }, 'baseUrl'],
    [CUSTOM, { ...SERVER, baseUrl: 'http://user:secret@10.0.0.7/v1' }, 'baseUrl'],
    [CUSTOM, { ...SERVER, baseUrl: 'http://169.254.169.254/v1' }, 'baseUrl'],
    [CUSTOM, { ...SERVER, baseUrl: 'http://[fd00:ec2::254]/v1' }, 'baseUrl'],
  ])('PUT %s refuses the model connection %j', async (path, body, field) => {
    const response = await used.tenant.api.put(path).send(body);
    expect([response.status, response.body]).toMatchObject([400, { errors: [{ path: field }] }]);
    expect(JSON.stringify(response.body)).not.toMatch(/sk-of|secret@|two words/);
  });

  it('the API requires the key of a model connection again after the encryption key has changed', async () => {
    const {
      test,
      tenant: { api },
    } = used;
    await api.put(CUSTOM).send({ ...SERVER, apiKey: KEY });
    const [row] = await test.gateway.db.select({ encryptedKey: modelConnections.encryptedKey }).from(modelConnections);
    // An encrypted key with a changed end cannot be decrypted, as after a change of the encryption key.
    const encryptedKey = `${row?.encryptedKey?.slice(0, -8)}AAAAAAAA`;
    await test.gateway.db.update(modelConnections).set({ encryptedKey });
    for (const response of [await api.put(CUSTOM).send(SERVER), await api.post(`${CUSTOM}/test`).send(SERVER)]) {
      expect(response.status).toBe(400);
      expect(getDetail(response)).toContain('apiKey must be given again');
    }
    expect((await api.put(CUSTOM).send({ ...SERVER, apiKey: KEY })).status).toBe(200);
  });

  it('a line break at the end of the key of a model connection is removed', async () => {
    expect((await used.tenant.api.put(OPENAI).send({ apiKey: `${KEY}\n` })).body).toMatchObject({ keyHint: '…wxyz' });
  });

  it('the response to a new model connection contains no part of a short key', async () => {
    expect((await used.tenant.api.put(OPENAI).send({ apiKey: 'short' })).body).toMatchObject({ keyHint: null });
  });
});

describe('POST /model-connections/{provider}/test', () => {
  it('POST /model-connections/{provider}/test tests a key that is not stored, and stores nothing', async () => {
    const {
      test,
      tenant: { api },
    } = used;
    const response = await api.post(`${OPENAI}/test`).send({ apiKey: KEY });
    expect([response.status, response.body]).toEqual([200, { model: 'openai/gpt-4o-mini', durationMs: 5 }]);
    expect(test.query.tests).toEqual([{ connection: { provider: 'openai', apiKey: KEY } }]);
    expect(await test.gateway.db.select().from(modelConnections)).toEqual([]);
  });

  it('POST /model-connections/{provider}/test tests the stored connection', async () => {
    await used.tenant.api.put(OPENAI).send({ apiKey: KEY });
    expect((await used.tenant.api.post(`${OPENAI}/test`).send({})).status).toBe(200);
    expect(used.test.query.tests).toEqual([{ connection: { provider: 'openai', apiKey: KEY } }]);
  });

  it.each<[Partial<ModelTestResponse>, RegExp]>([
    [{ failure: 'model_refused', status: 401 }, /status 401: the provider refuses the key\. Check/],
    [{ failure: 'model_refused', status: 403 }, /status 403: the key is not permitted/],
    [{ failure: 'model_refused', status: 404 }, /status 404: the server does not offer this model/],
    [{ failure: 'model_refused', status: 402 }, /status 402: the account has no credit/],
    [{ failure: 'model_refused', status: 400 }, /status 400\. Check the settings/],
    [{ failure: 'model_rate_limited', status: 429 }, /status 429: the rate or the quota/],
    [{ failure: 'model_timeout' }, /none within 25 seconds/],
    [{ failure: 'model_unavailable', networkError: 'ECONNREFUSED' }, /no connection \(ECONNREFUSED\)\. Check baseUrl/],
    [{ failure: 'model_unavailable', status: 503 }, /status 503\. Check the settings, or test again later/],
    [{ failure: 'model_invalid_response' }, /another format or no text/],
    [{ failure: 'model_interrupted' }, /no complete response \(model_interrupted\)/],
  ])('POST /model-connections/{provider}/test explains the failure %j', async (outcome, expected) => {
    used.test.query.testOutcome = { model: 'openai/gpt-4o-mini', durationMs: 5, ...SUCCESS, ...outcome };
    const response = await used.tenant.api.post(`${OPENAI}/test`).send({ apiKey: KEY });
    expect([response.status, getCode(response)]).toEqual([422, 'model_connection_failed']);
    expect(getDetail(response)).toMatch(expected);
  });
});
