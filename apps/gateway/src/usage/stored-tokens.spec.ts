import { TOKEN_CLAIMS_PATH, type TokenGrant } from '@quarry/contracts';
import { eq } from 'drizzle-orm';
import request, { type Response } from 'supertest';
import { describe, expect, it } from 'vitest';
import { runs } from '../database/tables/runs.js';
import { tokenReservations } from '../database/tables/token-reservations.js';
import { datasources } from '../database/tables/datasources.js';
import { recordDocument, recordEnumeration } from '../datasources/record-document.js';
import { recordEvent } from '../datasources/record-event.js';
import { updateOrganization } from '../organizations/organization-repository.js';
import { makeDatastore, makeSite, textOf, uploadText } from '../testing/make.js';
import { useTenant } from '../testing/use-tenant.js';
import { claimTokens } from './claim-tokens.js';
import { resumeWaiting } from './resume-waiting.js';

const used = useTenant();

async function limitTo(storedTokens: number | null): Promise<void> {
  const { test, tenant } = used;
  await updateOrganization(test.gateway.db, tenant.organizationId, { limits: { storedTokens } }, new Date());
}

async function usedTokens(): Promise<number> {
  const { body } = (await used.tenant.api.get('/api/usage')) as { body: { storedTokens: { used: number } } }; // as documented
  return body.storedTokens.used;
}

const makeFile = async (name: string): Promise<string> => uploadText(used.tenant.api, used.datastore, 'text', name);

async function claim(datasourceId: string, tokens: number, documentKey = 'a.txt'): Promise<TokenGrant> {
  const { organizationId } = used.tenant;
  return claimTokens(used.test.gateway.db, { organizationId, datasourceId, documentKey, tokens });
}

async function runOf(id: string): Promise<string> {
  const [row] = await used.test.gateway.db.select().from(datasources).where(eq(datasources.id, id));
  if (row?.runId === undefined || row.runId === null) throw new Error(`the datasource ${id} has no run`);
  return row.runId;
}

type End = { readonly status: 'synched' | 'error' | 'usage_limit_reached'; readonly storedTokens?: number };

/** What a worker tells of a file. */
async function settle(id: string, { status, storedTokens }: End): Promise<void> {
  const event = { type: 'settled', runId: await runOf(id), sequence: 9_999, status } as const;
  const at = new Date();
  expect(await recordEvent(used.test.gateway.db, { datasourceId: id, event, at, storedTokens }, at)).toBe('settled');
}

/** What a worker tells of one page of a site. */
async function settlePage(
  id: string,
  documentKey: string,
  end: { storedTokens?: number; code?: string },
): Promise<void> {
  const told = {
    ...{ datasourceId: id, runId: await runOf(id), documentKey, at: new Date().toISOString(), ...end },
    outcome: end.code === undefined ? 'indexed' : 'failed',
  } as const;
  await recordDocument(used.test.gateway.db, told, new Date());
}

async function endOfSite(id: string, documents: number): Promise<void> {
  const told = { datasourceId: id, runId: await runOf(id), at: new Date().toISOString(), documents, complete: true };
  await recordEnumeration(used.test.gateway.db, told, new Date());
}

const show = async (id: string): Promise<Response> => used.tenant.api.get(`/api/datasources/${id}`);

describe('a claim of tokens', () => {
  it('of 40 at once with room for 25, lets exactly 25 through', async () => {
    await limitTo(250);
    const site = await makeSite(used.tenant.api, used.datastore);
    const files = await Promise.all(Array.from({ length: 5 }, async (_, number) => makeFile(`${number}.txt`)));
    const grants = await Promise.all(
      Array.from({ length: 40 }, async (_, number) => claim(files[number] ?? site, 10, `page ${number}`)),
    );
    expect(grants.filter(({ granted }) => granted)).toHaveLength(25);
    expect(await usedTokens()).toBe(250);
  });

  it('is refused when it would exceed the limit, naming the limit and what was found', async () => {
    await limitTo(100);
    const file = await makeFile('a.txt');
    expect(await claim(file, 100)).toEqual({ granted: true });
    expect(await claim(await makeFile('more.txt'), 1)).toEqual({
      granted: false,
      code: 'usage_limit_reached',
      message:
        'The limit storedTokens allows 100 tokens, found 100 stored and 1 more in more.txt. Remove what is not needed, or have the limit raised, and sync the datasource.',
    });
    expect(await usedTokens()).toBe(100);
  });

  it('counts a document that is asked for twice, or replaced, once: the greater of the two', async () => {
    await limitTo(100);
    const file = await makeFile('a.txt');
    await claim(file, 80);
    expect(await claim(file, 80)).toEqual({ granted: true });
    expect(await claim(file, 100)).toEqual({ granted: true });
    expect(await claim(file, 101)).toMatchObject({ granted: false });
    expect(await claim(file, 10)).toEqual({ granted: true });
    expect(await usedTokens()).toBe(100);
  });

  it('counts a page once, however its address is written', async () => {
    const { test, tenant, datastore } = used;
    const config = { source_url: 'https://example.com/a/../b' };
    const made = await tenant.api
      .post('/api/datasources')
      .send({ datastoreId: datastore, type: 'web_page', name: 'page', config });
    const page = textOf(made, 'id');
    await claim(page, 10, 'https://example.com/b');
    await settle(page, { status: 'synched', storedTokens: 10 });
    await limitTo(15);
    expect(await claim(page, 12, 'https://example.com/b')).toEqual({ granted: true });
    expect(await test.gateway.db.$count(tokenReservations, eq(tokenReservations.datasourceId, page))).toBe(1);
  });

  it('of a document that shrinks is granted also when the limit was lowered below what is stored', async () => {
    const file = await makeFile('a.txt');
    await claim(file, 80);
    await limitTo(10);
    expect(await claim(file, 70)).toEqual({ granted: true });
    expect(await claim(file, 81)).toMatchObject({ granted: false });
  });

  it('of a datasource that is not there, or is of another organization, is refused', async () => {
    const other = await used.test.tenant();
    const theirs = await uploadText(other.api, await makeDatastore(other.api));
    for (const id of [theirs, used.datastore, 'nothing'])
      expect(await claim(id, 1)).toMatchObject({ granted: false, code: 'content_missing' });
    expect(await usedTokens()).toBe(0);
  });
});

describe('the end of a document', () => {
  it('leaves what was stored', async () => {
    const file = await makeFile('a.txt');
    await claim(file, 100);
    await settle(file, { status: 'synched', storedTokens: 90 });
    expect(await usedTokens()).toBe(90);
  });

  it('gives back what a failed run has claimed, and keeps what was stored before', async () => {
    const file = await makeFile('a.txt');
    await claim(file, 100);
    await settle(file, { status: 'synched', storedTokens: 100 });
    await used.tenant.api.post(`/api/datasources/${file}/sync`);
    await claim(file, 500);
    expect(await usedTokens()).toBe(500);
    await settle(file, { status: 'error' });
    expect(await usedTokens()).toBe(100);
  });

  it('of a page of a site leaves what was stored, and the end of the run gives back what nobody told of', async () => {
    const site = await makeSite(used.tenant.api, used.datastore);
    for (const key of ['1', '2', '3']) await claim(site, 100, key);
    await settlePage(site, '1', { storedTokens: 60 });
    await settlePage(site, '2', { code: 'file_unreadable' });
    expect(await usedTokens()).toBe(160);
    await endOfSite(site, 2);
    expect(await usedTokens()).toBe(60);
  });

  it('gives back what a cancelled run has claimed', async () => {
    const site = await makeSite(used.tenant.api, used.datastore);
    await claim(site, 100, '1');
    await settlePage(site, '1', { storedTokens: 70 });
    await claim(site, 100, '2');
    expect((await used.tenant.api.post(`/api/datasources/${site}/cancel`)).status).toBe(200);
    expect(await usedTokens()).toBe(70);
  });
});

describe('a removal frees the tokens', () => {
  it('of a datasource', async () => {
    const [one, two] = [await makeFile('a.txt'), await makeFile('b.txt')];
    await claim(one, 30);
    await claim(two, 12);
    await used.tenant.api.delete(`/api/datasources/${one}`);
    expect(await usedTokens()).toBe(12);
  });

  it('of a datastore with all of its datasources, and of no other', async () => {
    const second = await makeDatastore(used.tenant.api);
    const site = await makeSite(used.tenant.api, second);
    for (const key of ['1', '2', '3']) await claim(site, 10, key);
    await claim(await uploadText(used.tenant.api, second), 7);
    await claim(await makeFile('a.txt'), 5);
    expect(await usedTokens()).toBe(42);
    await used.tenant.api.delete(`/api/datastores/${second}`);
    expect(await usedTokens()).toBe(5);
  });

  it('of pages that are gone', async () => {
    const site = await makeSite(used.tenant.api, used.datastore);
    for (const key of ['1', '2', '3', '4']) {
      await claim(site, 10, key);
      await settlePage(site, key, { storedTokens: 10 });
    }
    await endOfSite(site, 4);
    await used.tenant.api.post(`/api/datasources/${site}/sync`);
    for (const key of ['1', '2', '3']) await settlePage(site, key, { storedTokens: 10 });
    await endOfSite(site, 3);
    expect(await usedTokens()).toBe(30);
  });

  it('while claims are made: none is lost, and nothing waits for ever', async () => {
    const stores = await Promise.all(Array.from({ length: 4 }, async () => makeDatastore(used.tenant.api)));
    const sites = await Promise.all(stores.map(async (store) => makeSite(used.tenant.api, store)));
    for (const site of sites) await claim(site, 10);
    const removed = Promise.all(stores.map(async (store) => used.tenant.api.delete(`/api/datastores/${store}`)));
    await Promise.all([
      removed,
      ...Array.from({ length: 40 }, async (_, number) => claim(sites[number % 4] ?? '', 10 + number, `${number % 3}`)),
    ]);
    expect((await removed).map(({ status }) => status)).toEqual([204, 204, 204, 204]);
    expect(await usedTokens()).toBe(0);
  });
});

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
    await endOfSite(site, 2);
    const { body } = (await show(site)) as { body: { error: { message: string } } }; // as documented
    expect(body).toMatchObject({ status: 'usage_limit_reached', error: { code: 'usage_limit_reached' } });
    expect(body.error.message).toContain('1 of 2 documents were not stored');
    expect(await usedTokens()).toBe(60);
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
