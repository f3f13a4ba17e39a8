import { expect, it } from 'vitest';
import fc from 'fast-check';
import { useTenant } from '../testing/use-tenant.js';
import { computeNextMonth, formatMonth, withReservation } from './query-reservations.js';

const used = useTenant();

/** Runs a query that fails. @returns the number of queries that are counted afterwards */
async function countFailingQuery(hasDisconnected: boolean): Promise<number> {
  const before = await countUsedQueries();
  const { organizationId } = used.tenant;
  const reservation = { organizationId, kind: 'agentQueries', askedAt: new Date() } as const;
  const { gateway } = used.test;
  const query = { reservation, client: { hasDisconnected: () => hasDisconnected }, log: gateway.log };
  const failing = withReservation(gateway, query, () => Promise.reject(new Error('it failed')));
  await expect(failing).rejects.toThrow('it failed');
  return (await countUsedQueries()) - before;
}

async function countUsedQueries(): Promise<number> {
  const { body } = (await used.tenant.api.get('/api/usage')) as { body: { queries: { used: number } } }; // as documented
  return body.queries.used;
}

it('a failed query is counted only if its client has disconnected', async () => {
  expect(await countFailingQuery(true)).toBe(1);
  expect(await countFailingQuery(false)).toBe(0);
});

const moments = fc.date({ min: new Date('2000-01-01'), max: new Date('2999-12-31'), noInvalidDate: true });

it.each([
  ['2026-11-30T23:59:59.999Z', '2026-11', '2026-12-01T00:00:00.000Z'],
  ['2026-12-01T00:00:00.000Z', '2026-12', '2027-01-01T00:00:00.000Z'],
  ['2028-02-29T12:00:00.000Z', '2028-02', '2028-03-01T00:00:00.000Z'],
  ['2026-12-31T23:30:00.000-01:00', '2027-01', '2027-02-01T00:00:00.000Z'],
])('the time %s is in the month %s, which ends at %s', (moment, month, end) => {
  expect(formatMonth(new Date(moment))).toBe(month);
  expect(computeNextMonth(new Date(moment)).toISOString()).toBe(end);
});

it('a month ends one millisecond before the next month begins', () => {
  fc.assert(
    fc.property(moments, (moment) => {
      const end = computeNextMonth(moment);
      expect(end.getTime()).toBeGreaterThan(moment.getTime());
      expect(formatMonth(end)).not.toBe(formatMonth(moment));
      expect(formatMonth(new Date(end.getTime() - 1))).toBe(formatMonth(moment));
    }),
  );
});
