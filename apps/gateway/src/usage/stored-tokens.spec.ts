import { readFile } from 'node:fs/promises';
import { eq, sql } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import { tokenReservations } from '../database/tables/token-reservations.js';
import { createDatastore, createSite, getStringField, uploadText } from '../testing/create-resources.js';
import { createTokenActions } from '../testing/stored-tokens.js';
import { setUpTenant } from '../testing/set-up-tenant.js';
import { claimTokens } from './claim-tokens.js';

const used = setUpTenant();
const { setTokenLimit, getUsedTokens, uploadFile, claimTokensOf, settleFileRun, settlePage, endSiteRun } =
  createTokenActions(used);
const HIGH_LIMIT = 1_000_000;
beforeEach(() => setTokenLimit(HIGH_LIMIT));

describe('a claim of stored tokens', () => {
  it('without a token limit, claimTokens grants every claim, and the tokens of a document are counted when it is stored', async () => {
    await setTokenLimit(null);
    const file = await uploadFile('a.txt');
    expect(await claimTokensOf(file, 80)).toEqual({ granted: true });
    expect(await getUsedTokens()).toBe(0);
    await settleFileRun(file, { status: 'synched', storedTokens: 80 });
    expect(await getUsedTokens()).toBe(80);
  });

  it('claimTokens grants exactly 25 of 40 parallel claims if the token limit permits 25', async () => {
    await setTokenLimit(250);
    const site = await createSite(used.tenant.api, used.datastore);
    const files = await Promise.all(Array.from({ length: 5 }, async (_, number) => uploadFile(`${number}.txt`)));
    const grants = await Promise.all(
      Array.from({ length: 40 }, async (_, number) => claimTokensOf(files[number] ?? site, 10, `page ${number}`)),
    );
    expect(grants.filter(({ granted }) => granted)).toHaveLength(25);
    expect(await getUsedTokens()).toBe(250);
  });

  it('claimTokens refuses a claim that would exceed the limit, and the message contains the limit and the stored total', async () => {
    await setTokenLimit(100);
    const file = await uploadFile('a.txt');
    expect(await claimTokensOf(file, 100)).toEqual({ granted: true });
    expect(await claimTokensOf(await uploadFile('more.txt'), 1)).toEqual({
      granted: false,
      code: 'usage_limit_reached',
      message:
        'The limit storedTokens allows 100 tokens, found 100 stored and 1 more in more.txt. Raise the limit, which resumes the run, or delete content and sync the datasource.',
    });
    expect(await getUsedTokens()).toBe(100);
  });

  it('if several claims are made for one document, claimTokens counts only the greatest of them', async () => {
    await setTokenLimit(100);
    const file = await uploadFile('a.txt');
    await claimTokensOf(file, 80);
    expect(await claimTokensOf(file, 80)).toEqual({ granted: true });
    expect(await claimTokensOf(file, 100)).toEqual({ granted: true });
    expect(await claimTokensOf(file, 101)).toMatchObject({ granted: false });
    expect(await claimTokensOf(file, 10)).toEqual({ granted: true });
    expect(await getUsedTokens()).toBe(100);
  });

  it('claimTokens counts a web page once, even if its claim and its datasource spell the address differently', async () => {
    const { test, tenant, datastore } = used;
    const config = { source_url: 'https://example.com/a/../b' };
    const made = await tenant.api
      .post('/api/datasources')
      .send({ datastoreId: datastore, type: 'web_page', name: 'page', config });
    const page = getStringField(made, 'id');
    await claimTokensOf(page, 10, 'https://example.com/b');
    await settleFileRun(page, { status: 'synched', storedTokens: 10 });
    await setTokenLimit(15);
    expect(await claimTokensOf(page, 12, 'https://example.com/b')).toEqual({ granted: true });
    expect(await test.gateway.db.$count(tokenReservations, eq(tokenReservations.datasourceId, page))).toBe(1);
  });

  it('claimTokens grants a claim for a smaller version of a stored document, even if the organization exceeds its token limit', async () => {
    const file = await uploadFile('a.txt');
    await claimTokensOf(file, 80);
    await setTokenLimit(10);
    expect(await claimTokensOf(file, 70)).toEqual({ granted: true });
    expect(await claimTokensOf(file, 81)).toMatchObject({ granted: false });
  });

  it('claimTokens refuses a claim for an unknown datasource or for a datasource of another organization', async () => {
    const other = await used.test.createTenant();
    const foreign = await uploadText(other.api, await createDatastore(other.api));
    for (const id of [foreign, used.datastore, 'nothing'])
      expect(await claimTokensOf(id, 1)).toMatchObject({ granted: false, code: 'content_missing' });
    expect(await getUsedTokens()).toBe(0);
  });
});

describe('a claim of stored tokens with the id of its run', () => {
  const claimOfRun = async (datasourceId: string, runId: string) => {
    const { organizationId } = used.tenant;
    return claimTokens(used.test.gateway.db, { organizationId, datasourceId, runId, documentKey: '1', tokens: 10 });
  };
  const getRunId = async (datasourceId: string): Promise<string> => {
    const response = await used.tenant.api.get(`/api/datasources/${datasourceId}`);
    return (response.body as { run: { id: string } }).run.id; // as documented
  };

  it('claimTokens refuses a claim of a cancelled run or of a superseded run, and reserves nothing for it', async () => {
    const site = await createSite(used.tenant.api, used.datastore);
    const first = await getRunId(site);
    await used.tenant.api.post(`/api/datasources/${site}/cancel`);
    expect(await claimOfRun(site, first)).toMatchObject({ granted: false, code: 'run_ended' });
    await used.tenant.api.post(`/api/datasources/${site}/sync`);
    expect(await claimOfRun(site, first)).toMatchObject({ granted: false, code: 'run_ended' });
    expect(await getUsedTokens()).toBe(0);
    expect(await claimOfRun(site, await getRunId(site))).toEqual({ granted: true });
    expect(await getUsedTokens()).toBe(10);
  });
});

describe('the stored tokens at the end of a run', () => {
  it('when a run ends, the usage counts its stored tokens instead of its claimed tokens', async () => {
    const file = await uploadFile('a.txt');
    await claimTokensOf(file, 100);
    await settleFileRun(file, { status: 'synched', storedTokens: 90 });
    expect(await getUsedTokens()).toBe(90);
  });

  it('when a run fails, its claimed tokens are released, and the tokens that an earlier run stored stay counted', async () => {
    const file = await uploadFile('a.txt');
    await claimTokensOf(file, 100);
    await settleFileRun(file, { status: 'synched', storedTokens: 100 });
    await used.tenant.api.post(`/api/datasources/${file}/sync`);
    await claimTokensOf(file, 500);
    expect(await getUsedTokens()).toBe(500);
    await settleFileRun(file, { status: 'error' });
    expect(await getUsedTokens()).toBe(100);
  });

  it('when a run ends, the claimed tokens of pages that were not stored are released, and the tokens of stored pages stay counted', async () => {
    const site = await createSite(used.tenant.api, used.datastore);
    for (const key of ['1', '2', '3']) await claimTokensOf(site, 100, key);
    await settlePage(site, '1', { storedTokens: 60 });
    await settlePage(site, '2', { code: 'file_unreadable' });
    expect(await getUsedTokens()).toBe(160);
    await endSiteRun(site);
    expect(await getUsedTokens()).toBe(60);
  });

  it('cancelling a run releases the tokens that it has claimed for documents in progress', async () => {
    const site = await createSite(used.tenant.api, used.datastore);
    await claimTokensOf(site, 100, '1');
    await settlePage(site, '1', { storedTokens: 70 });
    await claimTokensOf(site, 100, '2');
    expect((await used.tenant.api.post(`/api/datasources/${site}/cancel`)).status).toBe(200);
    expect(await getUsedTokens()).toBe(70);
  });
});

describe('the stored tokens of removed content', () => {
  it('deleting a datasource releases its tokens', async () => {
    const [one, two] = [await uploadFile('a.txt'), await uploadFile('b.txt')];
    await claimTokensOf(one, 30);
    await claimTokensOf(two, 12);
    await used.tenant.api.delete(`/api/datasources/${one}`);
    expect(await getUsedTokens()).toBe(12);
  });

  it('deleting a datastore releases the tokens of its datasources, and keeps the tokens of other datastores counted', async () => {
    const second = await createDatastore(used.tenant.api);
    const site = await createSite(used.tenant.api, second);
    for (const key of ['1', '2', '3']) await claimTokensOf(site, 10, key);
    await claimTokensOf(await uploadText(used.tenant.api, second), 7);
    await claimTokensOf(await uploadFile('a.txt'), 5);
    expect(await getUsedTokens()).toBe(42);
    await used.tenant.api.delete(`/api/datastores/${second}`);
    expect(await getUsedTokens()).toBe(5);
  });

  it('if a run removes pages that the site no longer has, the tokens of these pages are released', async () => {
    const site = await createSite(used.tenant.api, used.datastore);
    for (const key of ['1', '2', '3', '4']) {
      await claimTokensOf(site, 10, key);
      await settlePage(site, key, { storedTokens: 10 });
    }
    await endSiteRun(site);
    await used.tenant.api.post(`/api/datasources/${site}/sync`);
    for (const key of ['1', '2', '3']) await settlePage(site, key, { storedTokens: 10 });
    await endSiteRun(site);
    expect(await getUsedTokens()).toBe(30);
  });

  it('if datastores are deleted while workers claim tokens for them, no tokens stay counted and no deadlock occurs', async () => {
    const stores = await Promise.all(Array.from({ length: 4 }, async () => createDatastore(used.tenant.api)));
    const sites = await Promise.all(stores.map(async (store) => createSite(used.tenant.api, store)));
    for (const site of sites) await claimTokensOf(site, 10);
    const removed = Promise.all(stores.map(async (store) => used.tenant.api.delete(`/api/datastores/${store}`)));
    await Promise.all([
      removed,
      ...Array.from({ length: 40 }, async (_, number) =>
        claimTokensOf(sites[number % 4] ?? '', 10 + number, `${number % 3}`),
      ),
    ]);
    expect((await removed).map(({ status }) => status)).toEqual([204, 204, 204, 204]);
    expect(await getUsedTokens()).toBe(0);
  });
});

describe('the migration of content stored before token limits', () => {
  it('the migration of stored tokens counts the tokens of each page of a site and of each file', async () => {
    const { db } = used.test.gateway;
    const site = await createSite(used.tenant.api, used.datastore);
    for (const key of ['1', '2']) await settlePage(site, key, { storedTokens: 60 });
    await endSiteRun(site);
    const file = await uploadFile('a.txt');
    await settleFileRun(file, { status: 'synched', storedTokens: 7 });
    const ofTenant = eq(tokenReservations.organizationId, used.tenant.organizationId);
    await db.delete(tokenReservations).where(ofTenant);
    expect(await getUsedTokens()).toBe(0);
    const migration = await readFile(new URL('../../migrations/0008_stored_tokens.sql', import.meta.url), 'utf8');
    const insertion = migration.split('--> statement-breakpoint').at(-1) ?? '';
    await db.execute(sql.raw(`${insertion.replace(/;\s*$/, '')} on conflict do nothing`));
    expect(await getUsedTokens()).toBe(127);
  });
});
