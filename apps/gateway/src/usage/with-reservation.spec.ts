import { expect, it } from 'vitest';
import { useTenant } from '../testing/use-tenant.js';
import { withReservation } from './with-reservation.js';

const used = useTenant();

/** Fails a query whose client is there, or has left. @returns how many queries were counted for it */
async function countedOfFailing(hasLeft: boolean): Promise<number> {
  const before = await usedQueries();
  const { organizationId } = used.tenant;
  const reservation = { organizationId, kind: 'agentQueries', askedAt: new Date() } as const;
  const { gateway } = used.test;
  const query = { reservation, client: { hasLeft: () => hasLeft }, log: gateway.log };
  const failing = withReservation(gateway, query, () => Promise.reject(new Error('it failed')));
  await expect(failing).rejects.toThrow('it failed');
  return (await usedQueries()) - before;
}

async function usedQueries(): Promise<number> {
  const { body } = (await used.tenant.api.get('/api/usage')) as { body: { queries: { used: number } } }; // as documented
  return body.queries.used;
}

it('a query that fails is counted only when its client has left', async () => {
  expect(await countedOfFailing(true)).toBe(1);
  expect(await countedOfFailing(false)).toBe(0);
});
