import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { setUpTenant } from '../testing/set-up-tenant.js';
import { usageMonths } from '../database/tables/usage-months.js';
import { updateOrganization } from '../organizations/organization-repository.js';
import { computeNextMonth, formatMonth, loadMonthlyQueries } from './monthly-queries.js';
import { releaseQuery, reserveQuery } from './query-reservations.js';
import { withQueryReservation } from './with-query-reservation.js';

const used = setUpTenant();

/** Runs a query that fails. @returns the number of queries by which the count has increased */
async function countFailingQuery(hasDisconnected: boolean): Promise<number> {
  const before = await countUsedQueries();
  const { organizationId } = used.tenant;
  const reservation = { organizationId, kind: 'agentQueries', askedAt: new Date() } as const;
  const { gateway } = used.test;
  const query = { reservation, client: { hasDisconnected: () => hasDisconnected }, log: gateway.log };
  const failing = withQueryReservation(gateway, query, () => Promise.reject(new Error('it failed')));
  await expect(failing).rejects.toThrow('it failed');
  return (await countUsedQueries()) - before;
}

async function countUsedQueries(): Promise<number> {
  const { body } = (await used.tenant.api.get('/api/usage')) as { body: { queries: { used: number } } }; // as documented
  return body.queries.used;
}

it('a query that fails is counted only if its client has disconnected', async () => {
  expect(await countFailingQuery(true)).toBe(1);
  expect(await countFailingQuery(false)).toBe(0);
});

describe('the counts of parallel queries', () => {
  const NOVEMBER = new Date('2026-11-21T12:00:00.000Z');
  const buildQuery = () =>
    ({ organizationId: used.tenant.organizationId, kind: 'agentQueries', askedAt: NOVEMBER }) as const;

  async function setQueryLimit(agentQueriesPerMonth: number | null): Promise<void> {
    const { organizationId } = used.tenant;
    await updateOrganization(used.test.gateway.db, organizationId, { limits: { agentQueriesPerMonth } }, NOVEMBER);
  }

  /** Reserves `count` queries concurrently. @returns the number of admitted queries */
  async function reserveQueries(count: number): Promise<number> {
    const { db } = used.test.gateway;
    const results = await Promise.allSettled(Array.from({ length: count }, async () => reserveQuery(db, buildQuery())));
    return results.filter(({ status }) => status === 'fulfilled').length;
  }

  async function countUsed(): Promise<number> {
    return (await loadMonthlyQueries(used.test.gateway.db, used.tenant.organizationId, NOVEMBER)).used;
  }

  it.each([1, 15, 16, 17, 100, 199])(
    'a monthly limit of %i admits exactly this number of 200 parallel queries',
    async (limit) => {
      await setQueryLimit(limit);
      expect(await reserveQueries(200)).toBe(limit);
      expect(await countUsed()).toBe(limit);
    },
  );

  it('after 7 of 50 reserved queries were released, exactly 7 further queries can be reserved, whichever database rows counted them', async () => {
    await setQueryLimit(50);
    expect(await reserveQueries(60)).toBe(50);
    await Promise.all(Array.from({ length: 7 }, async () => releaseQuery(used.test.gateway.db, buildQuery())));
    expect(await countUsed()).toBe(43);
    expect(await reserveQueries(60)).toBe(7);
  });

  it('a lowered, removed or raised monthly limit applies from the next query on', async () => {
    await setQueryLimit(1_000);
    expect(await reserveQueries(40)).toBe(40);
    await setQueryLimit(45);
    expect(await reserveQueries(40)).toBe(5);
    await setQueryLimit(null);
    expect(await reserveQueries(20)).toBe(20);
    await setQueryLimit(60);
    expect(await reserveQueries(20)).toBe(0);
    await setQueryLimit(70);
    expect(await reserveQueries(20)).toBe(5);
    expect(await countUsed()).toBe(70);
  });

  it('if a monthly limit is removed and later set to the same value again, the queries in between also count against it', async () => {
    await setQueryLimit(100);
    expect(await reserveQueries(1)).toBe(1);
    await setQueryLimit(null);
    expect(await reserveQueries(99)).toBe(99);
    await setQueryLimit(100);
    expect(await reserveQueries(40)).toBe(0);
  });

  it('the monthly count includes the queries that a gateway of the previous version counted', async () => {
    const { organizationId } = used.tenant;
    const row = { organizationId, month: formatMonth(NOVEMBER), agentQueries: 6, datastoreQueries: 4 };
    await used.test.gateway.db.insert(usageMonths).values(row);
    await setQueryLimit(12);
    expect(await reserveQueries(20)).toBe(2);
    expect(await countUsed()).toBe(12);
  });
});

const moments = fc.date({ min: new Date('2000-01-01'), max: new Date('2999-12-31'), noInvalidDate: true });

it.each([
  ['2026-11-30T23:59:59.999Z', '2026-11', '2026-12-01T00:00:00.000Z'],
  ['2026-12-01T00:00:00.000Z', '2026-12', '2027-01-01T00:00:00.000Z'],
  ['2028-02-29T12:00:00.000Z', '2028-02', '2028-03-01T00:00:00.000Z'],
  ['2026-12-31T23:30:00.000-01:00', '2027-01', '2027-02-01T00:00:00.000Z'],
])('the time %s belongs to the month %s, and the next month begins at %s', (moment, month, end) => {
  expect(formatMonth(new Date(moment))).toBe(month);
  expect(computeNextMonth(new Date(moment)).toISOString()).toBe(end);
});

it('computeNextMonth returns the first millisecond of the month that follows the month of the given time', () => {
  fc.assert(
    fc.property(moments, (moment) => {
      const end = computeNextMonth(moment);
      expect(end.getTime()).toBeGreaterThan(moment.getTime());
      expect(formatMonth(end)).not.toBe(formatMonth(moment));
      expect(formatMonth(new Date(end.getTime() - 1))).toBe(formatMonth(moment));
    }),
  );
});
