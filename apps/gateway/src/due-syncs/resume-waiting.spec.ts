import { catalogQueue, TOKEN_CLAIMS_PATH } from '@quarry/contracts';
import { and, desc, eq, ne } from 'drizzle-orm';
import request, { type Response } from 'supertest';
import { describe, expect, it } from 'vitest';
import { datasources } from '../database/tables/datasources.js';
import { runs } from '../database/tables/runs.js';
import { updateOrganization } from '../organizations/organization-repository.js';
import { publishAll } from '../testing/jobs.js';
import { makeSite, textOf } from '../testing/make.js';
import { createTokenActions } from '../testing/stored-tokens.js';
import { useTenant } from '../testing/use-tenant.js';
import { resumeWaiting } from './resume-waiting.js';

const used = useTenant();
const { limitTo, usedTokens, makeFile, claim, settle, settlePage, endSiteRun } = createTokenActions(used);

const show = async (id: string): Promise<Response> => used.tenant.api.get(`/api/datasources/${id}`);

describe('a datasource that found no room', () => {
  it('waits as usage_limit_reached, and goes on by sync after the limit was raised', async () => {
    await limitTo(10);
    const file = await makeFile('a.txt');
    expect(await claim(file, 11)).toMatchObject({ granted: false });
    await settle(file, { status: 'usage_limit_reached' });
    expect((await show(file)).body).toMatchObject({
      status: 'usage_limit_reached',
      error: { code: 'usage_limit_reached' },
    });
    await limitTo(11);
    await used.tenant.api.post(`/api/datasources/${file}/sync`);
    expect(await claim(file, 11)).toEqual({ granted: true });
    await settle(file, { status: 'synched', storedTokens: 11 });
    expect((await show(file)).body).toMatchObject({ status: 'synched', error: null });
  });

  it('keeps what was stored before', async () => {
    const file = await makeFile('a.txt');
    await claim(file, 40);
    await settle(file, { status: 'synched', storedTokens: 40 });
    await limitTo(50);
    await used.tenant.api.post(`/api/datasources/${file}/sync`);
    expect(await claim(file, 60)).toMatchObject({ granted: false });
    await settle(file, { status: 'usage_limit_reached' });
    expect(await usedTokens()).toBe(40);
  });

  it('is a site of which one page found none: the others are stored, and the reason names how many', async () => {
    const site = await makeSite(used.tenant.api, used.datastore);
    await settlePage(site, '1', { storedTokens: 60 });
    await settlePage(site, '2', { code: 'usage_limit_reached' });
    await endSiteRun(site);
    const { body } = (await show(site)) as { body: { error: { message: string } } }; // as documented
    expect(body).toMatchObject({ status: 'usage_limit_reached', error: { code: 'usage_limit_reached' } });
    expect(body.error.message).toContain('1 of 2 documents were not stored');
    expect(await usedTokens()).toBe(60);
  });
});

describe('a listing of which an item found no room', () => {
  it('is read again from where it was', async () => {
    const { test, tenant, datastore } = used;
    const config = { url: 'https://shop.example.com/items' };
    const made = await tenant.api
      .post('/api/datasources')
      .send({ type: 'item_listing', name: 'Shop', datastoreId: datastore, config });
    const id = textOf(made, 'id');
    await limitTo(10);
    await settlePage(id, 'item 1', { storedTokens: 10 });
    await settlePage(id, 'item 2', { code: 'usage_limit_reached' });
    await endSiteRun(id);
    expect((await show(id)).body).toMatchObject({ status: 'usage_limit_reached' });
    await limitTo(100);
    expect(await resumeWaiting(test.gateway)).toBe(1);
    await publishAll(test);
    const job = test.queues.added(catalogQueue).findLast(({ payload }) => payload.datasourceId === id);
    expect(job?.payload).toMatchObject({ mode: 'incremental' });
    expect(job?.payload.listingState).toBeUndefined();
  });
});

describe('raising the limit', () => {
  async function wait(name: string): Promise<string> {
    const file = await makeFile(name);
    await settle(file, { status: 'usage_limit_reached' });
    return file;
  }
  const statusOf = async (id: string): Promise<unknown> => ((await show(id)).body as { status: unknown }).status; // as documented

  it.each([[20], [null]])('to %s syncs what waits, and leaves everything else', async (limit) => {
    await limitTo(10);
    const [waiting, alsoWaiting] = [await wait('a.txt'), await wait('b.txt')];
    const failed = await makeFile('c.txt');
    await settle(failed, { status: 'error' });
    await limitTo(limit);
    expect(await resumeWaiting(used.test.gateway)).toBe(2);
    expect([await statusOf(waiting), await statusOf(alsoWaiting), await statusOf(failed)]).toEqual([
      'pending',
      'pending',
      'error',
    ]);
  });

  it('syncs each once, also by two gateways at once', async () => {
    await limitTo(10);
    const waiting = await wait('a.txt');
    await limitTo(20);
    const started = await Promise.all([resumeWaiting(used.test.gateway), resumeWaiting(used.test.gateway)]);
    expect(started.toSorted()).toEqual([0, 1]);
    const of = eq(runs.datasourceId, waiting);
    expect(await used.test.gateway.db.$count(runs, of)).toBe(2);
  });

  it('syncs what waits again only when the limit is raised again', async () => {
    await limitTo(10);
    const waiting = await wait('a.txt');
    await limitTo(20);
    expect(await resumeWaiting(used.test.gateway)).toBe(1);
    await settle(waiting, { status: 'usage_limit_reached' });
    expect(await resumeWaiting(used.test.gateway)).toBe(0);
    await limitTo(30);
    expect(await resumeWaiting(used.test.gateway)).toBe(1);
  });

  it('syncs what found no room before it, and says so after it', async () => {
    await limitTo(10);
    const file = await makeFile('a.txt');
    await limitTo(20);
    await settle(file, { status: 'usage_limit_reached' });
    expect(await resumeWaiting(used.test.gateway)).toBe(1);
  });

  it('is not what lowering it does, or changing another limit', async () => {
    await limitTo(10);
    const waiting = await wait('a.txt');
    await limitTo(5);
    const limits = { agentQueriesPerMonth: 3 };
    await updateOrganization(used.test.gateway.db, used.tenant.organizationId, { limits }, new Date());
    expect(await resumeWaiting(used.test.gateway)).toBe(0);
    expect(await statusOf(waiting)).toBe('usage_limit_reached');
  });
});

describe(`POST ${TOKEN_CLAIMS_PATH}`, () => {
  const ask = (token: string): request.Test =>
    request(used.test.url).post(TOKEN_CLAIMS_PATH).set('Authorization', `Bearer ${token}`);

  it('answers a service that has the token of the services', async () => {
    await limitTo(100);
    const datasourceId = await makeFile('a.txt');
    const { organizationId } = used.tenant;
    const response = await ask(used.test.query.token).send({
      organizationId,
      datasourceId,
      documentKey: 'd',
      tokens: 5,
    });
    expect([response.status, response.body]).toEqual([200, { granted: true }]);
    expect(await usedTokens()).toBe(5);
  });

  it('answers nobody else, and no API key', async () => {
    expect((await ask('wrong').send({})).status).toBe(401);
    expect((await ask(used.tenant.key).send({})).status).toBe(401);
    expect((await request(used.test.url).post(TOKEN_CLAIMS_PATH).send({})).status).toBe(401);
  });

  it('refuses what is no claim', async () => {
    const response = await ask(used.test.query.token).send({ organizationId: 'x', tokens: -1 });
    expect(response.body).toMatchObject({ status: 400, code: 'validation_failed' });
  });
});

it('goes on behind a hundred that cannot be started', async () => {
  const { test, tenant, datastore } = used;
  const documents = Array.from({ length: 101 }, (_, at) => ({ id: `d${at}`, name: `d${at}`, text: 'text' }));
  expect((await tenant.api.post(`/api/datastores/upsert/${datastore}`).send({ documents })).status).toBe(200);
  const ofDatastore = eq(datasources.datastoreId, datastore);
  const { db } = test.gateway;
  await db.update(datasources).set({ status: 'usage_limit_reached' }).where(ofDatastore);
  const [last] = await db.select().from(datasources).where(ofDatastore).orderBy(desc(datasources.id)).limit(1);
  // The others hold nothing to sync, which is refused.
  await db
    .update(datasources)
    .set({ blobKey: null })
    .where(and(ofDatastore, ne(datasources.id, last?.id ?? '')));
  await limitTo(10);
  await limitTo(1_000);
  expect(await resumeWaiting(test.gateway)).toBe(1);
  expect((await show(last?.id ?? '')).body).toMatchObject({ status: 'pending' });
  await db.delete(datasources).where(ofDatastore);
});
