import { eq, sql } from 'drizzle-orm';
import { beforeEach, expect, it } from 'vitest';
import { datastores } from '../../../database/tables/datastores.js';
import { expireDatastores } from '../../../datastores/datastore-expiry.js';
import { createFile, createVectorStore } from '../../../testing/create-files.js';
import { createAgent } from '../../../testing/create-resources.js';
import { setUpTenant } from '../../../testing/set-up-tenant.js';

const DAY_MS = 86_400_000;
let daysPassed = 0;
const readClock = (): Date => new Date(Date.now() + daysPassed * DAY_MS);
const used = setUpTenant({ clock: readClock });
beforeEach(() => (daysPassed = 0));

const addDays = (days: number) => ({ expires_after: { anchor: 'last_active_at', days } });
const expireAndCountDatastores = async (): Promise<number> => expireDatastores(used.test.gateway.db, readClock());
const retrieveVectorStore = async (store: string) =>
  (await used.tenant.api.get(`/v1/vector_stores/${store}`)).body as Shown;
const runSearch = (store: string) => used.tenant.api.post(`/v1/vector_stores/${store}/search`).send({ query: 'q' });

interface Shown {
  readonly status: string;
  readonly expires_at: number;
  readonly last_active_at: number;
}

it('an unused vector store expires: no operation searches it any longer, but its files can still be read', async () => {
  const { api } = used.tenant;
  const file = await createFile(api);
  const store = await createVectorStore(api, { ...addDays(7), file_ids: [file] });
  const shown = await retrieveVectorStore(store);
  expect(shown).toMatchObject({ status: 'in_progress', ...addDays(7) });
  expect(shown.expires_at - shown.last_active_at).toBe((7 * DAY_MS) / 1_000);
  daysPassed = 6.9;
  expect(await expireAndCountDatastores()).toBe(0);
  daysPassed = 7;
  expect([await expireAndCountDatastores(), await expireAndCountDatastores()]).toEqual([1, 0]);
  expect(await retrieveVectorStore(store)).toMatchObject({ status: 'expired', expires_at: shown.expires_at });
  expect((await runSearch(store)).body).toMatchObject({ error: { code: 'datastore_expired' } });
  const datastore = store.slice('vs_'.length);
  expect((await api.get(`/api/datastores/${datastore}`)).body).toMatchObject({
    expiry: {
      days: 7,
      expiresAt: expect.stringMatching(new Date(shown.expires_at * 1_000).toISOString().slice(0, 19)) as unknown,
      expiredAt: expect.stringMatching(readClock().toISOString().slice(0, 10)) as unknown,
    },
  });
  const query = await api.post(`/api/datastores/${datastore}/query`).send({ query: 'q' });
  expect([query.status, query.body]).toMatchObject([400, { code: 'datastore_expired' }]);
  const agent = await createAgent(api, { datastoreIds: [datastore, used.datastore] });
  await api.post(`/api/agents/${agent}/query`).send({ query: 'q' });
  expect(used.test.query.questions.at(-1)?.datastores).toEqual([{ id: used.datastore }]);
  const tools = [{ type: 'file_search', vector_store_ids: [store] }];
  const response = await api.post('/v1/responses').send({ model: `agent:${agent}`, input: 'q', tools });
  expect(response.body).toMatchObject({ error: { code: 'datastore_expired' } });
  expect((await api.get(`/v1/vector_stores/${store}/files/${file}`)).status).toBe(200);
  expect((await api.get(`/v1/vector_stores/${store}/files/${file}/content`)).status).toBe(200);
});

it.each(['a search', 'a question', 'a chat completion', 'an added file'])(
  '%s postpones the expiry of the vector store that is used',
  async (use) => {
    const { api } = used.tenant;
    const store = await createVectorStore(api, addDays(7));
    const datastore = store.slice('vs_'.length);
    const agent = await createAgent(api, { datastoreIds: [datastore] });
    const { expires_at: expected } = await retrieveVectorStore(store);
    await moveExpiryBack(datastore, '2 days');
    if (use === 'a search') expect((await runSearch(store)).status).toBe(200);
    else if (use === 'a question') await api.post(`/api/agents/${agent}/query`).send({ query: 'q' });
    else if (use === 'a chat completion') {
      const messages = [{ role: 'user', content: 'q' }];
      expect((await api.post('/v1/chat/completions').send({ model: `agent:${agent}`, messages })).status).toBe(200);
    } else await api.post(`/v1/vector_stores/${store}/files`).send({ file_id: await createFile(api) });
    const { expires_at: found } = await retrieveVectorStore(store);
    expect(Math.abs(found - expected)).toBeLessThan(60);
  },
);

it('reading an agent by GET /v1/models/{model} does not postpone the expiry of the vector store of the agent', async () => {
  const { api } = used.tenant;
  const store = await createVectorStore(api, addDays(7));
  const datastore = store.slice('vs_'.length);
  const agent = await createAgent(api, { name: 'Reader of stones', datastoreIds: [datastore] });
  await moveExpiryBack(datastore, '2 days');
  const before = await retrieveVectorStore(store);
  for (const model of [`agent:${agent}`, 'reader-of-stones'])
    expect((await api.get(`/v1/models/${model}`)).status).toBe(200);
  expect(await retrieveVectorStore(store)).toEqual(before);
});

it('a search within an hour after the last recorded use of a vector store does not postpone its expiry', async () => {
  const store = await createVectorStore(used.tenant.api, addDays(7));
  await moveExpiryBack(store.slice('vs_'.length), '59 minutes');
  const before = await retrieveVectorStore(store);
  await runSearch(store);
  expect(await retrieveVectorStore(store)).toEqual(before);
});

it('a new expiry time reactivates an expired vector store', async () => {
  const store = await createVectorStore(used.tenant.api, addDays(1));
  daysPassed = 2;
  await expireAndCountDatastores();
  await runSearch(store);
  expect(await retrieveVectorStore(store)).toMatchObject({ status: 'expired' });
  const updated = await used.tenant.api.post(`/v1/vector_stores/${store}`).send(addDays(30));
  expect(updated.body).toMatchObject({ status: 'completed', ...addDays(30) });
  expect((await runSearch(store)).status).toBe(200);
  const renamed = await used.tenant.api.post(`/v1/vector_stores/${store}`).send({ name: 'New' });
  expect(renamed.body).toMatchObject({ name: 'New', ...addDays(30) });
});

it('a vector store without an expiry never expires', async () => {
  const store = await createVectorStore(used.tenant.api);
  daysPassed = 1_000;
  await expireAndCountDatastores();
  expect(await retrieveVectorStore(store)).toMatchObject({ status: 'completed', expires_at: null });
  const datastore = await used.tenant.api.get(`/api/datastores/${store.slice('vs_'.length)}`);
  expect(datastore.body).toMatchObject({ expiry: null });
});

/**
 * Moves the expiry of a vector store back in time by an interval, as if the vector store were last used that much
 * earlier.
 */
async function moveExpiryBack(id: string, interval: string): Promise<void> {
  const expiresAt = sql`${datastores.expiresAt} - ${interval}::interval`;
  await used.test.gateway.db.update(datastores).set({ expiresAt }).where(eq(datastores.id, id));
}
