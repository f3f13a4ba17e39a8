import { expect, it } from 'vitest';
import { useTenant } from '../testing/use-tenant.js';
import { withReservation } from './with-reservation.js';

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
