import { readFile } from 'node:fs/promises';
import type { UsageDay } from '@quarry/contracts';
import { eq, sql } from 'drizzle-orm';
import type { Response } from 'supertest';
import { beforeEach, describe, expect, it } from 'vitest';
import { organizations } from '../database/tables/organizations.js';
import { storedDocumentTotals } from '../database/tables/token-reservations.js';
import { usageDays } from '../database/tables/usage-days.js';
import { hideDatastore } from '../datastores/remove-datastore.js';
import { updateOrganization } from '../organizations/organization-repository.js';
import { expectDocumented } from '../testing/expect-documented.js';
import { buildCompletedEvent, streamEvents } from '../testing/fake-query-service.js';
import { startTestGateway } from '../testing/start-test-gateway.js';
import { createTokenActions } from '../testing/stored-tokens.js';
import { setUpTenant } from '../testing/set-up-tenant.js';
import { runWatchdog } from '../watchdog/watchdog.js';
import { addDays } from './day-range.js';
import { recordStoredContent } from './stored-content.js';

const NOON = new Date('2026-11-21T12:00:00.000Z');
let now = NOON;
const used = setUpTenant({ clock: () => now });
const { uploadFile, settleFileRun } = createTokenActions(used);
beforeEach(async () => {
  now = NOON;
  const { db } = used.test.gateway;
  await db.delete(usageDays).where(sql`true`);
  const createdAt = new Date('2026-01-01T00:00:00.000Z');
  await db.update(organizations).set({ createdAt }).where(eq(organizations.id, used.tenant.organizationId));
});

const askAgent = (): PromiseLike<Response> =>
  used.tenant.api.post(`/api/agents/${used.agent}/query`).send({ query: 'Why?' });
const searchDatastore = (): PromiseLike<Response> =>
  used.tenant.api.post(`/api/datastores/${used.datastore}/query`).send({ query: 'why' });

async function listDays(query = '', api = used.tenant.api): Promise<readonly UsageDay[]> {
  const response = await api.get(`/api/usage/days${query}`);
  expectDocumented(response, 'get', '/usage/days');
  expect(response.status).toBe(200);
  return (response.body as { days: readonly UsageDay[] }).days; // as documented
}

/** Lists the days on which queries were counted, each in the form `<day> <agent queries>+<datastore queries>`. */
async function listBusyDays(query = ''): Promise<readonly string[]> {
  return (await listDays(query))
    .filter(({ agentQueries, datastoreQueries }) => agentQueries + datastoreQueries > 0)
    .map(({ day, agentQueries, datastoreQueries }) => `${day} ${agentQueries}+${datastoreQueries}`);
}

describe('the daily count of queries', () => {
  it('a query is counted on the day in UTC on which it was asked, even at the end of a month or year', async () => {
    for (const time of ['2025-12-31T23:59:59.999Z', '2026-01-01T00:00:00.000Z', '2026-10-31T23:59:59.999Z']) {
      now = new Date(time);
      await askAgent();
    }
    now = new Date('2026-11-01T00:00:00.000Z');
    await Promise.all([askAgent(), askAgent(), searchDatastore()]);
    expect(await listBusyDays('?from=2026-10-31')).toEqual(['2026-10-31 1+0', '2026-11-01 2+1']);
    expect(await listBusyDays('?from=2025-12-31&to=2026-01-01')).toEqual(['2025-12-31 1+0', '2026-01-01 1+0']);
    expect(await listBusyDays('?from=2026-11-01')).toEqual(['2026-11-01 2+1']);
  });

  it.each([null, 200])(
    'with a monthly limit of %s, the sum of the daily counts of a month equals the monthly count',
    async (limit) => {
      const { test, tenant } = used;
      await updateOrganization(
        test.gateway.db,
        tenant.organizationId,
        { limits: { agentQueriesPerMonth: limit } },
        now,
      );
      await Promise.all(Array.from({ length: 20 }, askAgent));
      now = new Date('2026-11-30T12:00:00.000Z');
      await Promise.all(Array.from({ length: 10 }, searchDatastore));
      expect(await listBusyDays()).toEqual(['2026-11-21 20+0', '2026-11-30 0+10']);
      expect((await tenant.api.get('/api/usage')).body).toMatchObject({ queries: { used: 30 } });
    },
  );

  it('a query that fails on the next day is subtracted from the count of the day on which it was asked', async () => {
    await askAgent();
    used.test.query.answer = () => {
      now = addDays(NOON, 1);
      return streamEvents([{ type: 'failed', code: 'model_unavailable', message: 'away' }]);
    };
    await askAgent();
    expect(await listBusyDays()).toEqual(['2026-11-21 1+0']);
    used.test.query.answer = () => streamEvents([buildCompletedEvent('Yes.')]);
    await askAgent();
    expect(await listBusyDays()).toEqual(['2026-11-21 1+0', '2026-11-22 1+0']);
  });

  it('two gateways add their queries to the same daily count', async () => {
    const { database } = used.test.context;
    const second = await startTestGateway({ database, clock: () => now });
    const apis = [used.tenant.api, second.createApi(used.tenant.key)];
    const path = `/api/datastores/${used.datastore}/query`;
    const statuses = await Promise.all(
      Array.from({ length: 60 }, async (_, number) => {
        return (await apis[number % 2]?.post(path).send({ query: 'why' }))?.status;
      }),
    );
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(await listBusyDays()).toEqual(['2026-11-21 0+60']);
    expect((await listDays('', apis[1])).at(-1)).toMatchObject({ datastoreQueries: 60 });
    await second.close();
  });
});

describe('the daily usage of stored content', () => {
  const listContent = async (query: string): Promise<readonly unknown[]> =>
    (await listDays(query)).map(({ storedTokens, storedDocuments }) => [storedTokens, storedDocuments]);

  it('the usage of today contains the current content, and the usage of an earlier day contains the content at the end of that day', async () => {
    await settleFileRun(await uploadFile('a.txt'), { status: 'synched', storedTokens: 80 });
    await settleFileRun(await uploadFile('b.txt'), { status: 'synched', storedTokens: 20 });
    await settleFileRun(await uploadFile('empty.txt'), { status: 'error' });
    expect(await listContent('?from=2026-11-20')).toEqual([
      [null, null],
      [100, 2],
    ]);
    now = new Date('2026-11-22T00:01:00.000Z');
    await runWatchdog(used.test.gateway);
    await settleFileRun(await uploadFile('c.txt'), { status: 'synched', storedTokens: 5 });
    await runWatchdog(used.test.gateway);
    expect(await listContent('?from=2026-11-20')).toEqual([
      [null, null],
      [100, 2],
      [105, 3],
    ]);
  });

  it('the usage of a day on which no gateway ran contains the content of the day before', async () => {
    await settleFileRun(await uploadFile('a.txt'), { status: 'synched', storedTokens: 80 });
    now = addDays(NOON, 1);
    await runWatchdog(used.test.gateway);
    now = addDays(NOON, 4);
    await runWatchdog(used.test.gateway);
    expect(await listContent('?from=2026-11-20')).toEqual([[null, null], ...Array.from({ length: 5 }, () => [80, 1])]);
  });

  it('the usage of yesterday is null for an organization that was created today', async () => {
    const { db } = used.test.gateway;
    await db.update(organizations).set({ createdAt: now }).where(eq(organizations.id, used.tenant.organizationId));
    await settleFileRun(await uploadFile('a.txt'), { status: 'synched', storedTokens: 80 });
    await runWatchdog(used.test.gateway);
    expect(await listContent('?from=2026-11-20')).toEqual([
      [null, null],
      [80, 1],
    ]);
  });

  it('the migration of daily usage counts the documents that were stored before the migration', async () => {
    const { db } = used.test.gateway;
    await settleFileRun(await uploadFile('a.txt'), { status: 'synched', storedTokens: 80 });
    await settleFileRun(await uploadFile('empty.txt'), { status: 'error' });
    await db.delete(storedDocumentTotals).where(sql`true`);
    expect(await listContent('?from=2026-11-21')).toEqual([[80, 0]]);
    const migration = await readFile(new URL('../../migrations/0035_usage_days.sql', import.meta.url), 'utf8');
    await db.execute(sql.raw(migration.split('--> statement-breakpoint').at(-1) ?? ''));
    expect(await listContent('?from=2026-11-21')).toEqual([[80, 1]]);
  });

  it('the usage of today does not include the content of a deleted datastore', async () => {
    await settleFileRun(await uploadFile('a.txt'), { status: 'synched', storedTokens: 80 });
    await used.tenant.api.delete(`/api/datastores/${used.datastore}`);
    expect(await listContent('?from=2026-11-21')).toEqual([[0, 0]]);
  });

  it('the usage of an earlier day does not include the content of a datastore that was deleted, but not yet removed, on that day', async () => {
    await settleFileRun(await uploadFile('a.txt'), { status: 'synched', storedTokens: 80 });
    const { db } = used.test.gateway;
    await hideDatastore(db, { organizationId: used.tenant.organizationId, id: used.datastore }, now);
    now = new Date('2026-11-22T00:01:00.000Z');
    await recordStoredContent(db, now);
    expect(await listContent('?from=2026-11-21')).toEqual([
      [0, 0],
      [0, 0],
    ]);
  });
});

it('the watchdog removes daily usage that is older than 24 months', async () => {
  const { db } = used.test.gateway;
  const { organizationId } = used.tenant;
  for (const time of ['2024-10-31T12:00:00.000Z', '2024-11-01T12:00:00.000Z']) {
    now = new Date(time);
    await askAgent();
    await db.insert(usageDays).values({ organizationId, day: time.slice(0, 10), storedTokens: 1, storedDocuments: 1 });
  }
  now = NOON;
  await runWatchdog(used.test.gateway);
  expect(await listBusyDays('?from=2024-11-01&to=2024-11-30')).toEqual(['2024-11-01 1+0']);
  const remaining = await db.select().from(usageDays).where(eq(usageDays.organizationId, organizationId));
  expect(remaining.map(({ day }) => day)).toEqual(['2024-11-01']);
});

describe('the range of days in the usage', () => {
  it('GET /usage/days returns the last 30 days by default, including days without usage', async () => {
    const days = await listDays();
    expect([days.length, days[0]?.day, days.at(-1)?.day]).toEqual([30, '2026-10-23', '2026-11-21']);
    expect((await listDays('?to=2026-03-01')).map(({ day }) => day)).toContain('2026-01-31');
    expect(await listDays('?from=2025-10-18')).toHaveLength(400);
  });

  it.each([
    ['from=yesterday', 'from must be a day in UTC, such as 2026-11-24, found "yesterday".'],
    ['from=2026-02-30', 'from must be an existing day, found 2026-02-30.'],
    ['from=2026-11-20&to=2026-13-01', 'to must be an existing day, found 2026-13-01.'],
    ['to=2026-11-22', 'to must be 2026-11-21 (today in UTC) or earlier, found 2026-11-22.'],
    ['from=2026-11-20&to=2026-11-19', 'from must be 2026-11-19 or earlier, found 2026-11-20.'],
    ['from=2025-10-17', 'from must be 2025-10-18 or later for a range of at most 400 days, found 2025-10-17.'],
    [
      'from=2024-10-31&to=2024-11-30',
      'from must be 2024-11-01 or later, because older usage is deleted, found 2024-10-31.',
    ],
    ['to=2024-11-05', 'to must be 2024-11-30 or later, because older usage is deleted, found 2024-11-05.'],
  ])(
    'GET /usage/days refuses %s with 400, and the message contains the expected value and the value found',
    async (query, detail) => {
      const response = await used.tenant.api.get(`/api/usage/days?${query}`);
      expect(response.body).toMatchObject({ status: 400, code: 'validation_failed', detail });
    },
  );
});

describe('the permissions for daily usage', () => {
  it('API keys with the scope `operate` can read the daily usage of any organization, and other API keys only that of their own organization', async () => {
    const [{ tenant, test }, other] = [used, await used.test.createTenant()];
    await Promise.all([askAgent(), searchDatastore()]);
    const path = `/api/organizations/${tenant.organizationId}/usage/days?from=2026-11-20`;
    expect((await listDays('?from=2026-11-20', other.api)).at(-1)).toMatchObject({
      ...{ agentQueries: 0, datastoreQueries: 0, storedTokens: 0, storedDocuments: 0 },
    });
    const manager = await other.addKey({ scopes: ['manage'] });
    expect((await test.createApi(manager.key).get(path)).status).toBe(403);
    const operator = await other.addKey({ scopes: ['operate'] });
    const shown = await test.createApi(operator.key).get(path);
    expectDocumented(shown, 'get', '/organizations/{id}/usage/days');
    expect(shown.body).toEqual((await tenant.api.get('/api/usage/days?from=2026-11-20')).body);
    expect(shown.body).toMatchObject({ days: [{}, { agentQueries: 1, datastoreQueries: 1 }] });
    const unknown = '/api/organizations/00000000-0000-7000-8000-00000000dead/usage/days';
    expect((await test.createApi(operator.key).get(unknown)).status).toBe(404);
  });

  it('GET /usage/days refuses API keys without the scope `manage`, and API keys that are limited to agents or datastores', async () => {
    const { test, tenant, agent } = used;
    const asker = await tenant.addKey({ scopes: ['query'] });
    expect((await test.createApi(asker.key).get('/api/usage/days')).status).toBe(403);
    const limited = await tenant.addKey({ agentIds: [agent] });
    expect((await test.createApi(limited.key).get('/api/usage/days')).body).toMatchObject({ code: 'key_limited' });
  });
});
