import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { apiKeys } from '../database/tables/api-keys.js';
import { DEFAULT_ORGANIZATION_ID, ensureRootKey } from '../keys/root-key.js';
import { expectDocumented } from '../testing/expect-documented.js';
import { createAgent, createDatastore, getStringField } from '../testing/create-resources.js';
import { startTestGateway, type Api, type Tenant, type TestGateway } from '../testing/start-test-gateway.js';

const ROOT_KEY = 'the-root-key-of-the-tests';
const TENANT_KEY = { scopes: ['query', 'ingest', 'manage'] } as const;
const BODY = { name: 'CI', scopes: ['query'] };

let test: TestGateway;
let tenant: Tenant;
let api: Api;

beforeAll(async () => {
  test = await startTestGateway();
  await ensureRootKey(test.gateway.db, ROOT_KEY);
}, 60_000);
afterAll(async () => test.close());
afterEach(() => vi.unstubAllEnvs());
beforeEach(async () => {
  tenant = await test.createTenant();
  api = test.createApi((await tenant.addKey(TENANT_KEY)).key);
});

describe('POST /api/api-keys', () => {
  it('POST /api/api-keys creates an API key that works immediately, and only this response contains the whole key', async () => {
    const made = await api.post('/api/api-keys').send(BODY);
    expect(made.status).toBe(201);
    expectDocumented(made, 'post', '/api-keys');
    expect(made.body).toMatchObject({ name: 'CI', scopes: ['query'], limits: null, root: false, expiresAt: null });
    const key = getStringField(made, 'key');
    expect((await test.createApi(key).get('/api/agents')).status).toBe(200);
    expect((await test.createApi(key).post('/api/agents').send({ name: 'a', datastoreIds: [] })).status).toBe(403);
    const id = getStringField(made, 'id');
    expect(made.headers['location']).toBe(`/api/api-keys/${id}`);
    const [row] = await test.gateway.db.select().from(apiKeys).where(eq(apiKeys.id, id));
    for (const shown of [await api.get(`/api/api-keys/${id}`), await api.get('/api/api-keys')]) {
      expect(shown.status).toBe(200);
      expect(shown.text).toContain(row?.prefix);
      expect(shown.text).not.toContain(key);
      expect(shown.text).not.toContain(row?.hash);
    }
  });

  it('POST /api/api-keys limits a new key to the given agents and datastores, and returns 404 if they belong to another organization', async () => {
    const datastore = await createDatastore(api);
    const agent = await createAgent(api);
    const made = await api.post('/api/api-keys').send({ ...BODY, agentIds: [agent], datastoreIds: [datastore] });
    expect(made.body).toMatchObject({ limits: { agentIds: [agent], datastoreIds: [datastore] } });
    const other = await test.createTenant();
    for (const field of [
      { agentIds: [await createAgent(other.api)] },
      { datastoreIds: [await createDatastore(other.api)] },
    ]) {
      const refused = await api.post('/api/api-keys').send({ ...BODY, ...field });
      expect(refused.status).toBe(404);
      expectDocumented(refused, 'post', '/api-keys');
    }
  });

  it('POST /api/api-keys stores an expiry time in the future, and refuses an expiry time in the past', async () => {
    const expiresAt = '2999-01-01T00:00:00.000Z';
    expect((await api.post('/api/api-keys').send({ ...BODY, expiresAt })).body).toMatchObject({ expiresAt });
    const refused = await api.post('/api/api-keys').send({ ...BODY, expiresAt: '2020-01-01T00:00:00Z' });
    expect(refused.status).toBe(400);
    expect(refused.body).toMatchObject({ code: 'validation_failed', errors: [{ path: 'expiresAt' }] });
  });

  it('POST /api/api-keys interprets an expiry time without an offset as UTC', async () => {
    vi.stubEnv('TZ', 'Asia/Tokyo');
    const made = await api.post('/api/api-keys').send({ ...BODY, expiresAt: '2999-01-01T12:00:00' });
    expect(made.body).toMatchObject({ expiresAt: '2999-01-01T12:00:00.000Z' });
  });

  it.each([
    [{ scopes: ['query'] }, 'name'],
    [{ name: 'a' }, 'scopes'],
    [{ name: 'a', scopes: [] }, 'scopes'],
    [{ name: 'a', scopes: ['admin'] }, 'scopes.0'],
    [{ name: 'a', scopes: ['query'], agentIds: [] }, 'agentIds'],
    [{ name: 'a', scopes: ['query'], expiresAt: 'tomorrow' }, 'expiresAt'],
    [{ name: 'a', scopes: ['query'], expiresAt: '9999-12-31T23:59:59-05:00' }, 'expiresAt'],
    [{ name: 'a', scopes: ['query'], root: true }, 'root'],
  ])('POST /api/api-keys refuses the body %j, and names the field %s', async (body, path) => {
    const response = await api.post('/api/api-keys').send(body);
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ code: 'validation_failed', errors: [{ path }] });
  });

  it('POST /api/api-keys refuses a scope that the calling key does not have', async () => {
    const manager = test.createApi((await tenant.addKey({ scopes: ['manage'] })).key);
    expect((await manager.post('/api/api-keys').send({ name: 'a', scopes: ['manage'] })).status).toBe(201);
    for (const [asking, scope] of [
      [manager, 'query'],
      [api, 'operate'],
    ] as const) {
      const refused = await asking.post('/api/api-keys').send({ name: 'a', scopes: ['manage', scope] });
      expect(refused.status).toBe(403);
      expect(refused.body).toMatchObject({ code: 'insufficient_scope' });
      expect(refused.text).toContain(`found ${scope}`);
    }
    const operator = test.createApi(ROOT_KEY);
    expect((await operator.post('/api/api-keys').send({ name: 'a', scopes: ['operate'] })).status).toBe(201);
  });

  it('every operation on API keys refuses a caller whose key is limited to certain datastores', async () => {
    const limited = await tenant.addKey({ ...TENANT_KEY, datastoreIds: [await createDatastore(api)] });
    const asking = test.createApi(limited.key);
    const path = `/api/api-keys/${limited.id}`;
    const asks = [
      asking.post('/api/api-keys').send(BODY),
      asking.get('/api/api-keys'),
      asking.get(path),
      asking.patch(path).send({ name: 'x' }),
      asking.delete(path),
    ];
    for (const response of await Promise.all(asks)) {
      expect(response.status).toBe(403);
      expect(response.body).toMatchObject({ code: 'key_limited' });
    }
  });
});

describe('/api/api-keys', () => {
  it('GET /api/api-keys lists API keys page by page, newest first, including revoked API keys', async () => {
    const ids = [
      getStringField(await api.post('/api/api-keys').send(BODY), 'id'),
      (await tenant.addKey(TENANT_KEY)).id,
    ];
    await api.delete(`/api/api-keys/${ids[1] ?? ''}`);
    const first = await api.get('/api/api-keys?limit=1');
    expectDocumented(first, 'get', '/api-keys');
    expect(first.body).toMatchObject({ items: [{ id: ids[1], revokedAt: expect.any(String) as string }] });
    const second = await api.get(`/api/api-keys?limit=1&cursor=${getStringField(first, 'next_cursor')}`);
    expect(second.body).toMatchObject({ items: [{ id: ids[0], revokedAt: null }] });
  });

  it('PATCH /api/api-keys/{id} renames an API key', async () => {
    const id = getStringField(await api.post('/api/api-keys').send(BODY), 'id');
    const renamed = await api.patch(`/api/api-keys/${id}`).send({ name: 'new' });
    expectDocumented(renamed, 'patch', '/api-keys/{id}');
    expect(renamed.body).toMatchObject({ id, name: 'new', scopes: ['query'] });
    expect((await api.patch(`/api/api-keys/${id}`).send({ scopes: ['manage'] })).status).toBe(400);
  });

  it('DELETE /api/api-keys/{id} revokes an API key immediately and permanently', async () => {
    const made = await api.post('/api/api-keys').send(BODY);
    const revoked = test.createApi(getStringField(made, 'key'));
    const path = `/api/api-keys/${getStringField(made, 'id')}`;
    expect((await revoked.get('/api/agents')).status).toBe(200);
    const answer = await api.delete(path);
    expect(answer.status).toBe(204);
    expectDocumented(answer, 'delete', '/api-keys/{id}');
    expect((await revoked.get('/api/agents')).status).toBe(401);
    const since = getStringField(await api.get(path), 'revokedAt');
    expect((await api.delete(path)).status).toBe(204);
    expect(getStringField(await api.get(path), 'revokedAt')).toBe(since);
  });

  it('operations on an API key return 404 for the API keys of another organization', async () => {
    const other = await test.createTenant();
    const { id, key } = await other.addKey({});
    const path = `/api/api-keys/${id}`;
    for (const response of [await api.get(path), await api.patch(path).send({ name: 'x' }), await api.delete(path)]) {
      expect(response.status).toBe(404);
      expect(response.body).toMatchObject({ code: 'not_found' });
    }
    expect((await api.get('/api/api-keys')).text).not.toContain(id);
    expect((await test.createApi(key).get('/api/agents')).status).toBe(200);
  });

  it('the API refuses to change the root key, because the configuration sets it', async () => {
    const operator = test.createApi(ROOT_KEY);
    const rows = await test.gateway.db
      .select()
      .from(apiKeys)
      .where(eq(apiKeys.organizationId, DEFAULT_ORGANIZATION_ID));
    const path = `/api/api-keys/${rows.find(({ root }) => root)?.id ?? ''}`;
    expect((await operator.get(path)).body).toMatchObject({ root: true });
    for (const response of [await operator.delete(path), await operator.patch(path).send({ name: 'x' })]) {
      expect(response.status).toBe(409);
      expect(response.body).toMatchObject({ code: 'root_key' });
    }
    expect((await operator.get('/api/agents')).status).toBe(200);
  });

  it('DELETE /api/api-keys/{id} revokes a key with the scope `operate` only if the key of the caller has this scope', async () => {
    const { id } = await tenant.addKey({ scopes: ['operate'] });
    const refused = await api.delete(`/api/api-keys/${id}`);
    expect(refused.status).toBe(403);
    expect(refused.body).toMatchObject({ code: 'insufficient_scope' });
    expect((await tenant.api.delete(`/api/api-keys/${id}`)).status).toBe(204);
  });
});
