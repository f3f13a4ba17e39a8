import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectEventually } from '../testing/expect-eventually.js';
import { apiKeys } from '../database/tables/api-keys.js';
import { createAgent, createDatastore, uploadText } from '../testing/create-resources.js';
import { startTestGateway, type TestGateway, type Tenant } from '../testing/start-test-gateway.js';
import { generateApiKey, recordKeyUse, revokeKey } from './key-repository.js';
import { DEFAULT_ORGANIZATION_ID, ensureRootKey, hasRootKey } from './root-key.js';
import { SCOPES } from '@quarry/contracts';

const NOWHERE = '00000000-0000-7000-8000-00000000dead';

let now = new Date('2026-06-01T12:00:00Z');
let test: TestGateway;
let tenant: Tenant;

beforeAll(async () => {
  test = await startTestGateway({ clock: () => now });
  tenant = await test.createTenant();
}, 60_000);
afterAll(async () => test.close());

describe('authentication', () => {
  it.each([
    [undefined, /missing/],
    ['', /missing|malformed/],
    ['Basic dXNlcjpwYXNz', /malformed/],
    ['Bearer', /malformed/],
    ['Bearer two words', /malformed/],
    [`Bearer ${generateApiKey()}`, /unknown/],
    ["Bearer qk_'--", /unknown/],
  ])('a request with the Authorization header %j is refused with 401', async (header, detail) => {
    const asked = test.createApi().get('/api/datastores');
    const response = await (header === undefined ? asked : asked.set('Authorization', header));
    expect(response.status).toBe(401);
    expect(response.headers['www-authenticate']).toBe('Bearer');
    expect(response.type).toBe('application/problem+json');
    expect(response.body).toMatchObject({ status: 401, code: 'unauthorized', error: 'UNAUTHORIZED' });
    expect((response.body as { detail: string }).detail).toMatch(detail);
  });

  it('a request without a key is refused with 401 even if its path is unknown, so that responses do not reveal which routes exist', async () => {
    expect((await test.createApi().get('/api/nowhere')).status).toBe(401);
    expect((await tenant.api.get('/api/nowhere')).status).toBe(404);
  });

  it('the authentication scheme Bearer is accepted in upper and lower case, as RFC 9110 requires', async () => {
    const response = await test.createApi().get('/api/datastores').set('Authorization', `bearer ${tenant.key}`);
    expect(response.status).toBe(200);
  });

  it('an API key is refused within a second after its revocation', async () => {
    const { id, key } = await tenant.addKey({});
    const api = test.createApi(key);
    expect((await api.get('/api/datastores')).status).toBe(200);
    expect(await revokeKey(test.gateway.db, tenant.organizationId, id, now)).toBe(true);
    await expectEventually(async () => (await api.get('/api/datastores')).status).toBe(401);
    expect((await api.get('/api/datastores')).text).toContain('revoked');
  });

  it('an organization cannot revoke an API key of another organization', async () => {
    const other = await test.createTenant();
    const { id, key } = await other.addKey({});
    expect(await revokeKey(test.gateway.db, tenant.organizationId, id, now)).toBe(false);
    expect((await test.createApi(key).get('/api/datastores')).status).toBe(200);
  });

  it('an API key is refused from the time at which it expires', async () => {
    const { key } = await tenant.addKey({ expiresAt: new Date('2026-06-01T13:00:00Z') });
    const api = test.createApi(key);
    expect((await api.get('/api/datastores')).status).toBe(200);
    now = new Date('2026-06-01T13:00:00Z');
    const refused = await api.get('/api/datastores');
    expect(refused.status).toBe(401);
    expect(refused.text).toContain('expired at 2026-06-01T13:00:00.000Z');
  });

  it('the database contains a hash and a prefix of an API key, but not the whole key', async () => {
    const { id, key } = await tenant.addKey({});
    const [row] = await test.gateway.db.select().from(apiKeys).where(eq(apiKeys.id, id));
    expect(JSON.stringify(row)).not.toContain(key);
    expect(key.startsWith(row?.prefix ?? 'nothing')).toBe(true);
  });

  it('the last use of an API key is recorded at most once per minute', async () => {
    const { id, key } = await tenant.addKey({});
    const api = test.createApi(key);
    const getLastUse = async (): Promise<Date | null | undefined> => {
      const [row] = await test.gateway.db.select().from(apiKeys).where(eq(apiKeys.id, id));
      return row?.lastUsedAt;
    };
    const first = now;
    await api.get('/api/datastores');
    await expectEventually(getLastUse).toEqual(first);
    now = new Date(first.getTime() + 59_000);
    await api.get('/api/datastores');
    // This call simulates another gateway that loaded the key before its last use was recorded. It must not record
    // another use.
    await recordKeyUse(test.gateway.db, id, now);
    expect(await getLastUse()).toEqual(first);
    now = new Date(first.getTime() + 60_000);
    await api.get('/api/datastores');
    await expectEventually(getLastUse).toEqual(now);
  });
});

describe('scopes', () => {
  const needs = [
    ['post', '/api/datastores', 'manage'],
    ['get', '/api/datastores', 'manage or ingest'],
    ['post', '/api/agents', 'manage'],
    ['post', `/api/agents/${NOWHERE}/query`, 'query'],
    ['post', `/api/datastores/${NOWHERE}/query`, 'query'],
    ['post', `/api/datastores/upsert/${NOWHERE}`, 'ingest'],
    ['post', '/api/datasources', 'ingest'],
    ['post', `/api/external/datastores/file-upload/${NOWHERE}`, 'ingest'],
    ['get', `/api/datasources/${NOWHERE}`, 'manage or ingest'],
    ['delete', `/api/datastores/${NOWHERE}`, 'manage'],
  ] as const;

  it.each(needs)(
    'the request %s %s is refused with 403 for an API key without the scope %s',
    async (method, path, scope) => {
      const without = SCOPES.filter((each) => !scope.split(' or ').includes(each));
      const { key } = await tenant.addKey({ scopes: without });
      const response = await test.createApi(key)[method](path);
      expect(response.status).toBe(403);
      expect(response.body).toMatchObject({ code: 'insufficient_scope' });
      expect((response.body as { detail: string }).detail).toContain(`scope ${scope}`);
    },
  );
});

describe('the isolation of organizations', () => {
  it('an organization cannot read, list or detect resources of another organization', async () => {
    const other = await test.createTenant();
    const datastore = await createDatastore(other.api);
    const agent = await createAgent(other.api, { datastoreIds: [datastore] });
    const datasource = await uploadText(other.api, datastore);
    const asks = [
      tenant.api.get(`/api/datastores/${datastore}`),
      tenant.api.delete(`/api/datastores/${datastore}`),
      tenant.api.post(`/api/datastores/${datastore}/query`).send({ query: 'x' }),
      tenant.api.post(`/api/datastores/upsert/${datastore}`).send({ documents: [{ text: 'x', name: 'x' }] }),
      tenant.api.post(`/api/external/datastores/file-upload/${datastore}`).attach('file', Buffer.from('x'), 'x.txt'),
      tenant.api
        .post('/api/datasources')
        .field('type', 'file')
        .field('datastoreId', datastore)
        .attach('file', Buffer.from('x'), 'x.txt'),
      tenant.api.get(`/api/datasources?datastoreId=${datastore}`),
      tenant.api.get(`/api/agents/${agent}`),
      tenant.api.delete(`/api/agents/${agent}`),
      tenant.api.post(`/api/agents/${agent}/query`).send({ query: 'x' }),
      tenant.api.post('/api/agents').send({ name: 'spy', datastoreIds: [datastore] }),
      tenant.api.get(`/api/datasources/${datasource}`),
      tenant.api.post(`/api/datasources/${datasource}/sync`),
      tenant.api.delete(`/api/datasources/${datasource}`),
    ];
    const known = new RegExp(`${datastore}|${agent}|${datasource}`, 'g');
    for (const response of await Promise.all(asks)) {
      expect(response.status).toBe(404);
      expect(response.body).toMatchObject({ code: 'not_found' });
    }
    // The error for an id of another organization has the same text as the error for an unknown id.
    const foreign = await tenant.api.get(`/api/datastores/${datastore}`);
    const unknown = await tenant.api.get(`/api/datastores/${NOWHERE}`);
    const getDetail = (body: unknown): string => (body as { detail: string }).detail.replaceAll(known, NOWHERE);
    expect(getDetail(foreign.body)).toBe(getDetail(unknown.body));
    for (const list of ['agents', 'datastores', 'datasources']) {
      expect((await tenant.api.get(`/api/${list}`)).text).not.toMatch(known);
    }
    expect((await other.api.get(`/api/datasources/${datasource}`)).status).toBe(200);
  });
});

describe('an API key that is limited to agents or datastores', () => {
  it('an API key that is limited to agents and datastores can use only those agents and datastores, and cannot create any', async () => {
    const mine = await createDatastore(tenant.api);
    const others = await createDatastore(tenant.api);
    const agent = await createAgent(tenant.api, { datastoreIds: [others] });
    const { key } = await tenant.addKey({ datastoreIds: [mine], agentIds: [agent] });
    const api = test.createApi(key);
    expect((await api.get(`/api/datastores/${mine}`)).status).toBe(200);
    expect((await api.get(`/api/datastores/${others}`)).status).toBe(404);
    expect((await api.post(`/api/datastores/${others}/query`).send({ query: 'x' })).status).toBe(404);
    expect((await api.post(`/api/agents/${agent}/query`).send({ query: 'x' })).status).toBe(200);
    expect((await api.get('/api/datastores')).body).toMatchObject({ items: [{ id: mine }] });
    const made = await api.post('/api/datastores').send({ name: 'new' });
    expect(made.status).toBe(403);
    expect(made.body).toMatchObject({ code: 'key_limited' });
  });

  it('an API key that is limited to an agent cannot search the datastore of the agent directly', async () => {
    const datastore = await createDatastore(tenant.api);
    const agent = await createAgent(tenant.api, { datastoreIds: [datastore] });
    const { key } = await tenant.addKey({ agentIds: [agent] });
    expect((await test.createApi(key).post(`/api/agents/${agent}/query`).send({ query: 'x' })).status).toBe(200);
    expect((await test.createApi(key).post(`/api/datastores/${datastore}/query`).send({ query: 'x' })).status).toBe(
      404,
    );
  });
});

describe('the root key', () => {
  it('an installation has no root key until ensureRootKey sets one', async () => {
    expect(await hasRootKey(test.gateway.db)).toBe(false);
    await ensureRootKey(test.gateway.db, generateApiKey());
    expect(await hasRootKey(test.gateway.db)).toBe(true);
  });

  it('gateways that start at the same time with the same root key create it once, and a new root key replaces the previous root key', async () => {
    const { db } = test.gateway;
    const first = generateApiKey();
    await db.delete(apiKeys).where(eq(apiKeys.root, true));
    await Promise.all(Array.from({ length: 5 }, async () => ensureRootKey(db, first)));
    await ensureRootKey(db, first);
    expect(await db.$count(apiKeys, eq(apiKeys.organizationId, DEFAULT_ORGANIZATION_ID))).toBe(1);
    expect((await test.createApi(first).post('/api/datastores').send({ name: 'mine' })).status).toBe(201);

    const second = generateApiKey();
    await ensureRootKey(db, second);
    // The test polls, because a gateway receives the change of the keys only within a second.
    await expect
      .poll(async () => (await test.createApi(first).get('/api/datastores')).status, { timeout: 10_000 })
      .toBe(401);
    expect((await test.createApi(second).get('/api/datastores')).body).toMatchObject({ items: [{ name: 'mine' }] });
    await ensureRootKey(db, first);
    await expect
      .poll(async () => (await test.createApi(first).get('/api/datastores')).status, { timeout: 10_000 })
      .toBe(200);
  });

  it('an existing key that becomes the root key loses its expiry, limits and response format, and belongs to the default organization', async () => {
    const { db } = test.gateway;
    const { id, key } = await tenant.addKey({
      ...{ agentIds: [NOWHERE], datastoreIds: [NOWHERE], scopes: ['query'], compatibility: 'chaindesk' },
      expiresAt: new Date(now.getTime() + 1_000),
    });
    await ensureRootKey(db, key);
    expect(await db.select().from(apiKeys).where(eq(apiKeys.id, id))).toMatchObject([
      {
        ...{ organizationId: DEFAULT_ORGANIZATION_ID, root: true, scopes: SCOPES, revokedAt: null, expiresAt: null },
        ...{ agentIds: null, datastoreIds: null, compatibility: null },
      },
    ]);
  });

  it.each(['', 'too short', 'with a space in it, long', 'x'.repeat(201)])(
    'the text %j is refused as a root key',
    async (key) => {
      await expect(ensureRootKey(test.gateway.db, key)).rejects.toThrow(/8 to 200 printable characters/);
    },
  );
});
