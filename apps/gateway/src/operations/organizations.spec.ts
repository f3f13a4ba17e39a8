import { DEFAULT_SPLITTING } from '@quarry/contracts';
import { and, eq, isNull } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../database/id.js';
import { agents } from '../database/tables/agents.js';
import { datastores } from '../database/tables/datastores.js';
import { organizations } from '../database/tables/organizations.js';
import { continueDatastoreRemovals, hideDatastore } from '../datastores/remove-datastore.js';
import { DEFAULT_ORGANIZATION_ID, ensureRootKey } from '../keys/root-key.js';
import { listBlobs } from '../testing/blobs.js';
import { expectDocumented } from '../testing/expect-documented.js';
import { publishAndListIngestionJobs } from '../testing/jobs.js';
import { createAgent, createDatastore, getStringField, uploadText } from '../testing/create-resources.js';
import { startTestGateway, type Api, type TestGateway } from '../testing/start-test-gateway.js';
import { removeDiscardedBlobs } from '../blobs/discarded-blobs.js';
import { runWatchdog } from '../watchdog/watchdog.js';

const ROOT_KEY = 'the-root-key-of-the-tests';
const UNKNOWN_ID = '00000000-0000-7000-8000-00000000dead';

let test: TestGateway;
let operator: Api;

beforeAll(async () => {
  test = await startTestGateway();
  await ensureRootKey(test.gateway.db, ROOT_KEY);
  operator = test.createApi(ROOT_KEY);
}, 60_000);
afterAll(async () => test.close());

async function createOrganization(body: object = {}): Promise<{ readonly id: string; readonly api: Api }> {
  const made = await operator.post('/api/organizations').send({ name: 'Acme', ...body });
  return { id: getStringField(made, 'id'), api: test.createApi(getStringField(made, 'apiKey')) };
}

async function insertDatastores(organizationId: string, count: number, removedAt: Date | null = null): Promise<void> {
  const rows = Array.from({ length: count }, (_, at) => ({
    ...{ id: newId(), organizationId, name: `d ${at}`, splitting: DEFAULT_SPLITTING, removedAt },
  }));
  await test.gateway.db.insert(datastores).values(rows);
}

describe('/api/organizations', () => {
  it('POST /api/organizations creates an organization with an API key that has every scope but `operate`, and no access to other organizations', async () => {
    const made = await operator.post('/api/organizations').send({ name: 'Acme', limits: { storedTokens: 1_000 } });
    expect(made.status).toBe(201);
    expectDocumented(made, 'post', '/organizations');
    expect(made.body).toMatchObject({ name: 'Acme', limits: { agentQueriesPerMonth: null, storedTokens: 1_000 } });
    const id = getStringField(made, 'id');
    expect(made.headers['location']).toBe(`/api/organizations/${id}`);
    const api = test.createApi(getStringField(made, 'apiKey'));
    const datastore = await createDatastore(api);
    await uploadText(api, datastore);
    expect((await api.post(`/api/datastores/${datastore}/query`).send({ query: 'x' })).status).toBe(200);
    expect((await api.get('/api/organizations')).status).toBe(403);
    expect((await operator.get(`/api/datastores/${datastore}`)).status).toBe(404);
    const shown = await operator.get(`/api/organizations/${id}`);
    expectDocumented(shown, 'get', '/organizations/{id}');
    expect(made.body).toMatchObject(shown.body as object);
    expect(shown.text).not.toContain('qk_');
  });

  it('GET /api/organizations lists organizations page by page, newest first', async () => {
    const ids = [(await createOrganization()).id, (await createOrganization()).id];
    const first = await operator.get('/api/organizations?limit=1');
    expectDocumented(first, 'get', '/organizations');
    expect(first.body).toMatchObject({ items: [{ id: ids[1] }] });
    const second = await operator.get(`/api/organizations?limit=1&cursor=${getStringField(first, 'next_cursor')}`);
    expect(second.body).toMatchObject({ items: [{ id: ids[0] }] });
  });

  it('GET /api/organizations/{id}/usage returns the same usage as GET /usage with a key of the organization', async () => {
    const { id, api } = await createOrganization({ limits: { agentQueriesPerMonth: 5, storedTokens: 7 } });
    await api.post(`/api/datastores/${await createDatastore(api)}/query`).send({ query: 'x' });
    const shown = await operator.get(`/api/organizations/${id}/usage`);
    expectDocumented(shown, 'get', '/organizations/{id}/usage');
    expect(shown.body).toMatchObject({
      queries: { used: 1, limit: 5, datastoreQueries: 1 },
      storedTokens: { limit: 7 },
    });
    expect(shown.body).toEqual((await api.get('/api/usage')).body);
    expect((await api.get(`/api/organizations/${id}/usage`)).status).toBe(403);
    expect((await operator.get(`/api/organizations/${UNKNOWN_ID}/usage`)).status).toBe(404);
  });

  it('PATCH /api/organizations/{id} changes the given fields of an organization, removes limits that are null, and keeps absent fields', async () => {
    const { id } = await createOrganization({ limits: { agentQueriesPerMonth: 5, storedTokens: 7 } });
    const path = `/api/organizations/${id}`;
    const renamed = await operator.patch(path).send({ name: 'New' });
    expectDocumented(renamed, 'patch', '/organizations/{id}');
    expect(renamed.body).toMatchObject({ name: 'New', limits: { agentQueriesPerMonth: 5, storedTokens: 7 } });
    const changed = await operator.patch(path).send({ limits: { agentQueriesPerMonth: null } });
    expect(changed.body).toMatchObject({ name: 'New', limits: { agentQueriesPerMonth: null, storedTokens: 7 } });
    expect((await operator.patch(path).send({})).body).toEqual(changed.body);
    expect((await operator.get(path)).body).toEqual(changed.body);
  });

  it('PATCH /api/organizations/{id} changes and removes the limit of concurrent jobs of an organization', async () => {
    const { id } = await createOrganization({ limits: { concurrentJobs: 5 } });
    const path = `/api/organizations/${id}`;
    expect((await operator.get(path)).body).toMatchObject({ limits: { concurrentJobs: 5, storedTokens: null } });
    for (const concurrentJobs of [9, null]) {
      const changed = await operator.patch(path).send({ limits: { concurrentJobs } });
      expect(changed.body).toMatchObject({ limits: { concurrentJobs } });
    }
  });

  it('PATCH /api/organizations/{id} with `jobWeight: null` resets the weight of the jobs of an organization to 1', async () => {
    const { id } = await createOrganization({ limits: { jobWeight: 5 } });
    const path = `/api/organizations/${id}`;
    expect((await operator.get(path)).body).toMatchObject({ limits: { jobWeight: 5 } });
    const changed = await operator.patch(path).send({ limits: { jobWeight: null } });
    expect(changed.body).toMatchObject({ limits: { jobWeight: 1 } });
  });

  it.each([
    [{ name: 'a', limits: { concurrentJobs: 0 } }, 'limits.concurrentJobs'],
    [{ name: 'a', limits: { jobWeight: 0 } }, 'limits.jobWeight'],
    [{ name: 'a', limits: { jobWeight: 101 } }, 'limits.jobWeight'],
    [{}, 'name'],
    [{ name: '' }, 'name'],
    [{ name: ' \t' }, 'name'],
    [{ name: 'a', more: 1 }, 'more'],
    [{ name: 'a', limits: { storedTokens: -1 } }, 'limits.storedTokens'],
    [{ name: 'a', limits: { agentQueriesPerMonth: 1.5 } }, 'limits.agentQueriesPerMonth'],
    [{ name: 'a', limits: { agentQueriesPerMonth: 1e17 } }, 'limits.agentQueriesPerMonth'],
    [{ name: 'a', limits: { fragments: 1 } }, 'limits.fragments'],
  ])('POST /api/organizations refuses the body %j, and names the field %s', async (body, path) => {
    const response = await operator.post('/api/organizations').send(body);
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ code: 'validation_failed', errors: [{ path }] });
  });

  it.each(['post', 'get'] as const)(
    'the API refuses %s /api/organizations to an API key without the scope `operate`',
    async (method) => {
      const tenant = await test.createTenant();
      const { key } = await tenant.addKey({ scopes: ['query', 'ingest', 'manage'] });
      const response = await test.createApi(key)[method]('/api/organizations');
      expect(response.status).toBe(403);
      expect(response.body).toMatchObject({ code: 'insufficient_scope' });
    },
  );

  it.each(['get', 'patch', 'delete'] as const)(
    'the API returns 404 to %s for an unknown organization id',
    async (method) => {
      const response = await operator[method](`/api/organizations/${UNKNOWN_ID}`);
      expect(response.status).toBe(404);
      expectDocumented(response, method, '/organizations/{id}');
    },
  );
});

describe('DELETE /api/organizations/{id}', () => {
  it('deleting an organization revokes its API keys, and removes its fragments, blobs and rows', async () => {
    const { id, api } = await createOrganization();
    const datastoreIds = [await createDatastore(api), await createDatastore(api)];
    for (const datastore of datastoreIds) await uploadText(api, datastore);
    await createAgent(api, { datastoreIds });
    const listOwnBlobs = () => listBlobs(test, id);
    expect(listOwnBlobs()).toHaveLength(2);
    const removed = await operator.delete(`/api/organizations/${id}`);
    expect(removed.status).toBe(204);
    expectDocumented(removed, 'delete', '/organizations/{id}');
    const refused = await api.get('/api/datastores');
    expect(refused.status).toBe(401);
    expect((await operator.get(`/api/organizations/${id}`)).status).toBe(404);
    expect((await operator.delete(`/api/organizations/${id}`)).status).toBe(404);
    const removals = (await publishAndListIngestionJobs(test, id)).filter(({ name }) => name === 'remove-datastore');
    expect(removals.map(({ payload }) => payload.datastoreId).toSorted()).toEqual(datastoreIds.toSorted());
    await removeDiscardedBlobs(test.gateway, new Date(Date.now() + 1_000));
    expect(listOwnBlobs()).toEqual([]);
    expect(await test.gateway.db.$count(organizations, eq(organizations.id, id))).toBe(0);
    expect(await test.gateway.db.$count(agents, eq(agents.organizationId, id))).toBe(0);
  });

  it('the watchdog completes the deletion of an organization if the gateway stops during the deletion', async () => {
    const { id, api } = await createOrganization();
    const datastore = await createDatastore(api);
    // The database has this state if the gateway stops right after it has sent the response.
    await test.gateway.db.update(organizations).set({ removedAt: new Date() }).where(eq(organizations.id, id));
    await expect.poll(async () => (await api.get('/api/datastores')).status, { timeout: 10_000 }).toBe(401);
    await runWatchdog(test.gateway);
    expect(await test.gateway.db.$count(organizations, eq(organizations.id, id))).toBe(0);
    expect(await publishAndListIngestionJobs(test, id)).toMatchObject([
      { name: 'remove-datastore', payload: { datastoreId: datastore } },
    ]);
  });

  it('deleting an organization hides all its datastores before it removes their content', async () => {
    const { id } = await createOrganization();
    await insertDatastores(id, 1_100);
    expect((await operator.delete(`/api/organizations/${id}`)).status).toBe(204);
    const isOwn = eq(datastores.organizationId, id);
    expect(await test.gateway.db.$count(datastores, and(isOwn, isNull(datastores.removedAt)))).toBe(0);
    expect(await test.gateway.db.$count(datastores, isOwn)).toBeGreaterThan(0);
    const removals = (await publishAndListIngestionJobs(test, id)).filter(({ name }) => name === 'remove-datastore');
    expect(new Set(removals.map(({ payload }) => payload.datastoreId)).size).toBe(1_100);
  });

  it('the deletion of an organization with many datastores does not delay the removal of a datastore of another organization', async () => {
    const [deleted, other] = [await createOrganization(), await createOrganization()];
    const removedAt = new Date(0);
    await insertDatastores(deleted.id, 200, removedAt);
    await test.gateway.db.update(organizations).set({ removedAt }).where(eq(organizations.id, deleted.id));
    const datastore = { organizationId: other.id, id: await createDatastore(other.api) };
    await hideDatastore(test.gateway.db, datastore, new Date());
    await continueDatastoreRemovals(test.gateway);
    expect(await test.gateway.db.$count(datastores, eq(datastores.id, datastore.id))).toBe(0);
  });

  it('deleting an organization does not affect other organizations', async () => {
    const [deleted, other] = [await createOrganization(), await createOrganization()];
    const datastore = await createDatastore(other.api);
    await operator.delete(`/api/organizations/${deleted.id}`);
    expect((await other.api.get('/api/datastores')).body).toMatchObject({ items: [{ id: datastore }] });
  });

  it('DELETE /api/organizations/{id} refuses to delete the organization of the root key', async () => {
    const response = await operator.delete(`/api/organizations/${DEFAULT_ORGANIZATION_ID}`);
    expect(response.status).toBe(409);
    expect(response.body).toMatchObject({ code: 'default_organization' });
    expectDocumented(response, 'delete', '/organizations/{id}');
    expect((await operator.get('/api/datastores')).status).toBe(200);
  });
});
