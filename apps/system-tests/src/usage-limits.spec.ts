import { QuarryError, type Datasource, type QuarryClient } from '@quarry/client';
import { expect, it, vi } from 'vitest';
import { describeOnEachStack } from './quarry/stacks.js';

/** Timeout and interval of polling, in milliseconds. With this interval, the tests stay below the rate limit. */
const SETTLE = { timeout: 60_000, interval: 250 };
const TEXT = 'The shop opens at nine, and closes when the last customer has left. '.repeat(40);

describeOnEachStack('the limits of an organization', {}, (quarry) => {
  async function createOrganizationWithLimits(limits: {
    readonly agentQueriesPerMonth?: number;
    readonly storedTokens?: number;
  }) {
    const { id, apiKey } = await quarry().createOrganization({ name: 'Acme', limits });
    const tenant = quarry(apiKey);
    return { id, tenant, datastoreId: (await tenant.createDatastore({ name: 'Notes' })).id };
  }

  it('if an organization sends queries simultaneously, exactly as many succeed as `agentQueriesPerMonth` allows', async () => {
    const { tenant, datastoreId } = await createOrganizationWithLimits({ agentQueriesPerMonth: 30 });
    const { id: agentId } = await tenant.createAgent({ name: 'Clerk', datastoreIds: [datastoreId] });
    const question = { query: 'When does the shop open?' };
    const statuses = await Promise.all(
      Array.from({ length: 60 }, (_, number) =>
        getStatusOfRequest(
          number % 2 === 0 ? tenant.queryAgent(agentId, question) : tenant.queryDatastore(datastoreId, question),
        ),
      ),
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(30);
    expect(statuses.filter((status) => status === 402)).toHaveLength(30);
    expect((await tenant.getUsage()).queries).toMatchObject({ used: 30, limit: 30 });
  });

  it('a document that exceeds the limit `storedTokens` is indexed after the limit is raised', async () => {
    const { id: organizationId, tenant, datastoreId } = await createOrganizationWithLimits({ storedTokens: 100 });
    const [id = ''] = (await tenant.upsertDocuments(datastoreId, [{ name: 'long', text: TEXT }])).ids;
    const waiting = await tenant.untilSettled(id);
    expect(waiting).toMatchObject({ status: 'usage_limit_reached', error: { code: 'usage_limit_reached' } });
    expect(waiting.error?.message).toContain('The limit storedTokens allows 100 tokens, found 0 stored');

    await quarry().updateOrganization(organizationId, { limits: { storedTokens: 100_000 } });
    const synched = await vi.waitUntil(() => findSettledDatasource(tenant, id), SETTLE);
    expect(synched).toMatchObject({ status: 'synched', error: null });
    expect((await tenant.getUsage()).storedTokens.used).toBeGreaterThan(100);

    await tenant.deleteDatasource(id);
    expect((await tenant.getUsage()).storedTokens.used).toBe(0);
  });

  it('documents that are indexed simultaneously never exceed the limit `storedTokens` of an organization', async () => {
    const { tenant, datastoreId } = await createOrganizationWithLimits({ storedTokens: 300 });
    const documents = Array.from({ length: 40 }, (_, number) => ({
      name: `${number}`,
      text: `Note ${number}: ${'the shop is open. '.repeat(8)}`,
    }));
    const { ids } = await tenant.upsertDocuments(datastoreId, documents);
    const statuses: string[] = [];
    for (const id of ids) statuses.push((await tenant.untilSettled(id)).status);
    expect(new Set(statuses)).toEqual(new Set(['synched', 'usage_limit_reached']));
    const { used } = (await tenant.getUsage()).storedTokens;
    expect(used).toBeLessThanOrEqual(300);
    expect(used).toBeGreaterThan(200);
  });
});

/**
 * Returns a datasource if it is synched or has failed; undefined while its run is in progress or waits until the usage
 * limit is raised.
 */
async function findSettledDatasource(tenant: QuarryClient, id: string): Promise<Datasource | undefined> {
  const datasource = await tenant.getDatasource(id);
  return ['synched', 'error'].includes(datasource.status) ? datasource : undefined;
}

/** Returns the HTTP status of a request: 200 if the request succeeds, otherwise the status of the error. */
async function getStatusOfRequest(asked: Promise<unknown>): Promise<number> {
  try {
    await asked;
    return 200;
  } catch (error) {
    if (error instanceof QuarryError) return error.status;
    throw error;
  }
}
