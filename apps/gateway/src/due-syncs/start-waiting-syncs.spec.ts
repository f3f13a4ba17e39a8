import { catalogQueue, TOKEN_CLAIMS_PATH, type SyncCatalog } from '@quarry/contracts';
import { and, desc, eq, ne } from 'drizzle-orm';
import request, { type Response } from 'supertest';
import { describe, expect, it } from 'vitest';
import { datasources } from '../database/tables/datasources.js';
import { runs } from '../database/tables/runs.js';
import { updateOrganization } from '../organizations/organization-repository.js';
import { publishOutboxJobs } from '../testing/jobs.js';
import { createSite, getStringField } from '../testing/create-resources.js';
import { createTokenActions } from '../testing/stored-tokens.js';
import { setUpTenant } from '../testing/set-up-tenant.js';
import { startWaitingSyncs } from './start-waiting-syncs.js';

const used = setUpTenant();
const { setTokenLimit, getUsedTokens, uploadFile, claimTokensOf, settleFileRun, settlePage, endSiteRun } =
  createTokenActions(used);

const getDatasource = async (id: string): Promise<Response> => used.tenant.api.get(`/api/datasources/${id}`);

describe('a datasource that reached the limit of stored tokens', () => {
  it('a file that exceeds the limit of stored tokens gets the status usage_limit_reached, and can be synced after the limit was raised', async () => {
    await setTokenLimit(10);
    const file = await uploadFile('a.txt');
    expect(await claimTokensOf(file, 11)).toMatchObject({ granted: false });
    await settleFileRun(file, { status: 'usage_limit_reached' });
    expect((await getDatasource(file)).body).toMatchObject({
      status: 'usage_limit_reached',
      error: { code: 'usage_limit_reached' },
    });
    await setTokenLimit(11);
    await used.tenant.api.post(`/api/datasources/${file}/sync`);
    expect(await claimTokensOf(file, 11)).toEqual({ granted: true });
    await settleFileRun(file, { status: 'synched', storedTokens: 11 });
    expect((await getDatasource(file)).body).toMatchObject({ status: 'synched', error: null });
  });

  it('if the new version of a file exceeds the limit of stored tokens, the usage still contains the tokens of the previous version', async () => {
    const file = await uploadFile('a.txt');
    await claimTokensOf(file, 40);
    await settleFileRun(file, { status: 'synched', storedTokens: 40 });
    await setTokenLimit(50);
    await used.tenant.api.post(`/api/datasources/${file}/sync`);
    expect(await claimTokensOf(file, 60)).toMatchObject({ granted: false });
    await settleFileRun(file, { status: 'usage_limit_reached' });
    expect(await getUsedTokens()).toBe(40);
  });

  it('a site that exceeds the limit of stored tokens stores the pages that fit, and reports how many pages were not stored', async () => {
    const site = await createSite(used.tenant.api, used.datastore);
    await settlePage(site, '1', { storedTokens: 60 });
    await settlePage(site, '2', { code: 'usage_limit_reached' });
    await endSiteRun(site);
    const { body } = (await getDatasource(site)) as { body: { error: { message: string } } }; // as documented
    expect(body).toMatchObject({ status: 'usage_limit_reached', error: { code: 'usage_limit_reached' } });
    expect(body.error.message).toContain('1 of 2 documents was not stored');
    expect(await getUsedTokens()).toBe(60);
  });
});

describe('an item listing that reached the limit of stored tokens', () => {
  const config = { url: 'https://shop.example.com/items' };

  async function createListing(more: object = {}): Promise<string> {
    const body = { type: 'item_listing', name: 'Shop', datastoreId: used.datastore, config: { ...config, ...more } };
    return getStringField(await used.tenant.api.post('/api/datasources').send(body), 'id');
  }

  /** Ends the run of a listing at the limit of stored tokens, raises the limit, and starts the waiting syncs. */
  async function repeatSyncAfterRaise(id: string): Promise<SyncCatalog | undefined> {
    const { test } = used;
    await setTokenLimit(10);
    await settlePage(id, 'item 1', { storedTokens: 10 });
    await settlePage(id, 'item 2', { code: 'usage_limit_reached' });
    await endSiteRun(id);
    expect((await getDatasource(id)).body).toMatchObject({ status: 'usage_limit_reached' });
    await setTokenLimit(100);
    expect(await startWaitingSyncs(test.gateway)).toBe(1);
    await publishOutboxJobs(test);
    return test.queues.listAddedJobs(catalogQueue).findLast(({ payload }) => payload.datasourceId === id)?.payload;
  }

  it('after the limit of stored tokens was raised, a listing whose first sync had reached the limit is synced in full', async () => {
    const job = await repeatSyncAfterRaise(await createListing());
    expect(job).toMatchObject({ mode: 'full' });
    expect(job?.listingState).toBeUndefined();
  });

  it.each([
    ['full', '?full=true'],
    ['incremental', ''],
  ])(
    'if the %s sync of a listing has reached the limit of stored tokens, the sync is repeated in the same mode',
    async (mode, query) => {
      const id = await createListing({ schedule: 'never' });
      await settlePage(id, 'item 1', { storedTokens: 5 });
      await endSiteRun(id);
      const listingState = { modifiedAfter: 'latest' };
      await used.test.gateway.db.update(datasources).set({ listingState }).where(eq(datasources.id, id));
      await used.tenant.api.post(`/api/datasources/${id}/sync${query}`);
      expect(await repeatSyncAfterRaise(id)).toMatchObject({ mode, listingState });
    },
  );
});

describe('a change of the limit of stored tokens', () => {
  async function createWaitingFile(name: string): Promise<string> {
    const file = await uploadFile(name);
    await settleFileRun(file, { status: 'usage_limit_reached' });
    return file;
  }
  const getStatus = async (id: string): Promise<unknown> =>
    ((await getDatasource(id)).body as { status: unknown }).status; // as documented

  it.each([[20], [null]])(
    'after the limit of stored tokens was changed from 10 to %s, syncs that had reached the limit are started again, and failed syncs are not',
    async (limit) => {
      await setTokenLimit(10);
      const [waiting, alsoWaiting] = [await createWaitingFile('a.txt'), await createWaitingFile('b.txt')];
      const failed = await uploadFile('c.txt');
      await settleFileRun(failed, { status: 'error' });
      await setTokenLimit(limit);
      expect(await startWaitingSyncs(used.test.gateway)).toBe(2);
      expect([await getStatus(waiting), await getStatus(alsoWaiting), await getStatus(failed)]).toEqual([
        'pending',
        'pending',
        'error',
      ]);
    },
  );

  it('if two gateways call startWaitingSyncs at the same time, each waiting sync is started only once', async () => {
    await setTokenLimit(10);
    const waiting = await createWaitingFile('a.txt');
    await setTokenLimit(20);
    const started = await Promise.all([startWaitingSyncs(used.test.gateway), startWaitingSyncs(used.test.gateway)]);
    expect(started.toSorted()).toEqual([0, 1]);
    const ofWaiting = eq(runs.datasourceId, waiting);
    expect(await used.test.gateway.db.$count(runs, ofWaiting)).toBe(2);
  });

  it('a sync that reached the limit of stored tokens twice is started again only after the limit is raised again', async () => {
    await setTokenLimit(10);
    const waiting = await createWaitingFile('a.txt');
    await setTokenLimit(20);
    expect(await startWaitingSyncs(used.test.gateway)).toBe(1);
    await settleFileRun(waiting, { status: 'usage_limit_reached' });
    expect(await startWaitingSyncs(used.test.gateway)).toBe(0);
    await setTokenLimit(30);
    expect(await startWaitingSyncs(used.test.gateway)).toBe(1);
  });

  it('if the limit of stored tokens is raised before a sync reports that it reached the limit, the sync is started again', async () => {
    await setTokenLimit(10);
    const file = await uploadFile('a.txt');
    await setTokenLimit(20);
    await settleFileRun(file, { status: 'usage_limit_reached' });
    expect(await startWaitingSyncs(used.test.gateway)).toBe(1);
  });

  it('no sync that waits for a higher limit of stored tokens is started when this limit is lowered or another limit is changed', async () => {
    await setTokenLimit(10);
    const waiting = await createWaitingFile('a.txt');
    await setTokenLimit(5);
    const limits = { agentQueriesPerMonth: 3 };
    await updateOrganization(used.test.gateway.db, used.tenant.organizationId, { limits }, new Date());
    expect(await startWaitingSyncs(used.test.gateway)).toBe(0);
    expect(await getStatus(waiting)).toBe('usage_limit_reached');
  });
});

describe(`POST ${TOKEN_CLAIMS_PATH}`, () => {
  const claimOverHttp = (token: string): request.Test =>
    request(used.test.url).post(TOKEN_CLAIMS_PATH).set('Authorization', `Bearer ${token}`);

  it('a claim of stored tokens within the limit is granted if the request contains the secret token of the services', async () => {
    await setTokenLimit(100);
    const datasourceId = await uploadFile('a.txt');
    const { organizationId } = used.tenant;
    const response = await claimOverHttp(used.test.query.token).send({
      organizationId,
      datasourceId,
      documentKey: 'd',
      tokens: 5,
    });
    expect([response.status, response.body]).toEqual([200, { granted: true }]);
    expect(await getUsedTokens()).toBe(5);
  });

  it('a claim of stored tokens is refused with 401 if the request contains an API key, a wrong token or no token', async () => {
    expect((await claimOverHttp('wrong').send({})).status).toBe(401);
    expect((await claimOverHttp(used.tenant.key).send({})).status).toBe(401);
    expect((await request(used.test.url).post(TOKEN_CLAIMS_PATH).send({})).status).toBe(401);
  });

  it('a claim of a negative number of stored tokens is refused with 400', async () => {
    const response = await claimOverHttp(used.test.query.token).send({ organizationId: 'x', tokens: -1 });
    expect(response.body).toMatchObject({ status: 400, code: 'validation_failed' });
  });
});

it('100 syncs that waited for a higher limit of stored tokens and cannot be started do not block the next waiting sync', async () => {
  const { test, tenant, datastore } = used;
  const documents = Array.from({ length: 101 }, (_, at) => ({ id: `d${at}`, name: `d${at}`, text: 'text' }));
  expect((await tenant.api.post(`/api/datastores/upsert/${datastore}`).send({ documents })).status).toBe(200);
  const ofDatastore = eq(datasources.datastoreId, datastore);
  const { db } = test.gateway;
  await db.update(datasources).set({ status: 'usage_limit_reached' }).where(ofDatastore);
  const [last] = await db.select().from(datasources).where(ofDatastore).orderBy(desc(datasources.id)).limit(1);
  // The blob keys of the other datasources are removed, because a datasource without content cannot be synced.
  await db
    .update(datasources)
    .set({ blobKey: null })
    .where(and(ofDatastore, ne(datasources.id, last?.id ?? '')));
  await setTokenLimit(10);
  await setTokenLimit(1_000);
  expect(await startWaitingSyncs(test.gateway)).toBe(1);
  expect((await getDatasource(last?.id ?? '')).body).toMatchObject({ status: 'pending' });
  await db.delete(datasources).where(ofDatastore);
});
