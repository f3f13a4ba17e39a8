import { eq } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { silentLog } from '@quarry/queue/testing';
import type { Queries } from '../../database/database.js';
import { datasources } from '../../database/tables/datasources.js';
import { runs } from '../../database/tables/runs.js';
import { webhookDeliveries } from '../../database/tables/webhook-deliveries.js';
import { uploadText } from '../../testing/create-resources.js';
import { setUpTenant } from '../../testing/set-up-tenant.js';
import { createWebhook } from '../../testing/webhooks.js';
import { loadStoredTokens } from '../../usage/stored-content.js';
import { recordRunUpdates } from './run-events.js';
import type { RunUpdate } from './apply-run-update.js';

const used = setUpTenant();
const AT = new Date('2026-06-01T12:00:00.000Z');

/**
 * Uploads a file, which creates a run.
 *
 * @returns the id of the datasource, and two updates to record: the start and the end of the run
 */
async function createRunWithUpdates(): Promise<{ id: string; start: RunUpdate; end: RunUpdate }> {
  const id = await uploadText(used.tenant.api, used.datastore);
  const { runId } = await readDatasource(id);
  const ending = { kind: 'document', outcome: 'indexed' } as const;
  const more = { datasourceId: id, at: AT };
  return {
    id,
    start: { ...more, event: { type: 'started', runId: runId ?? '', sequence: 1 } },
    end: { ...more, event: { type: 'ended', runId: runId ?? '', sequence: 2, ending }, fragments: 2, storedTokens: 7 },
  };
}

async function readDatasource(id: string): Promise<typeof datasources.$inferSelect> {
  const [row] = await used.test.gateway.db.select().from(datasources).where(eq(datasources.id, id));
  if (row === undefined) throw new Error(`expected the datasource ${id}, found none`);
  return row;
}

async function recordUpdate(update: RunUpdate, db: Queries = used.test.gateway.db): Promise<unknown> {
  const [result] = await recordRunUpdates({ db, log: silentLog }, [update], AT);
  return result;
}

/**
 * Returns a database that calls `change` once, between the statement that reads the rows and the statement that writes
 * them.
 */
function createDatabaseWithChange(change: () => Promise<unknown>): Queries {
  const { db } = used.test.gateway;
  let isChanged = false;
  const execute: Queries['execute'] = (query) => {
    if (isChanged) return db.execute(query);
    isChanged = true;
    // The cast is safe, because the caller only awaits the returned promise.
    return change().then(() => db.execute(query)) as unknown as ReturnType<typeof db.execute<never>>;
  };
  return Object.assign(Object.create(db) as Queries, { execute });
}

it('the end of a run stores status, tokens and webhook events once, even if the end is reported twice', async () => {
  const { tenant, test } = used;
  await createWebhook(tenant);
  const { id, start, end } = await createRunWithUpdates();
  const done = { recorded: 'settled', mayHaveDeliveries: true, mayHaveDiscardedBlobs: false };
  expect(await recordUpdate(start)).toMatchObject({ value: { recorded: 'under_way', mayHaveDeliveries: false } });
  expect(await recordUpdate(end)).toEqual({ status: 'fulfilled', value: done });
  expect(await recordUpdate(end)).toMatchObject({ value: { recorded: 'not_allowed' } });
  expect(await readDatasource(id)).toMatchObject({ status: 'synched', fragments: 2, storedTokens: 7, lastSynch: AT });
  expect(await loadStoredTokens(test.gateway.db, tenant.organizationId)).toBe(7);
  const ofTenant = eq(webhookDeliveries.organizationId, tenant.organizationId);
  expect(await test.gateway.db.select().from(webhookDeliveries).where(ofTenant)).toMatchObject([
    { payload: { event: { type: 'datasource.synched', data: { datasourceId: id } } }, attempts: 0 },
  ]);
});

it('recording a run event does not overwrite a concurrent change of the datasource', async () => {
  const { id, end } = await createRunWithUpdates();
  const { db } = used.test.gateway;
  const racing = createDatabaseWithChange(() =>
    db.update(datasources).set({ customId: 'changed', failuresRunning: 3 }).where(eq(datasources.id, id)),
  );
  expect(await recordUpdate(end, racing)).toMatchObject({
    value: { recorded: 'settled', mayHaveDiscardedBlobs: true },
  });
  expect(await readDatasource(id)).toMatchObject({ status: 'synched', customId: 'changed', failuresRunning: 0 });
});

it('recording a run event does not overwrite a concurrent change of the run', async () => {
  const { start } = await createRunWithUpdates();
  const { db } = used.test.gateway;
  const ofRun = eq(runs.id, start.event.runId);
  const timeline = [{ at: AT.toISOString(), step: 'reading' }] as const;
  const racing = createDatabaseWithChange(() => db.update(runs).set({ timeline }).where(ofRun));
  expect(await recordUpdate(start, racing)).toMatchObject({ value: { recorded: 'under_way' } });
  const [run] = await db.select().from(runs).where(ofRun);
  expect(run?.timeline.map(({ step }) => step)).toEqual(['reading', 'running']);
});

it('a run event changes nothing if its run is superseded before the event is written', async () => {
  const { id, end } = await createRunWithUpdates();
  const racing = createDatabaseWithChange(() => used.tenant.api.post(`/api/datasources/${id}/sync`));
  expect(await recordUpdate(end, racing)).toMatchObject({ value: { recorded: 'stale_run', mayHaveDeliveries: false } });
  expect(await readDatasource(id)).toMatchObject({ status: 'pending', storedTokens: null });
});

it('if the end of a run is reported several times at once, the run ends once', async () => {
  await createWebhook(used.tenant);
  const { id, start, end } = await createRunWithUpdates();
  const results = await Promise.all([end, start, end, start, end].map(async (update) => recordUpdate(update)));
  const settled = results.filter((result) => JSON.stringify(result).includes('"settled"'));
  expect(settled).toHaveLength(1);
  expect(await readDatasource(id)).toMatchObject({ status: 'synched', storedTokens: 7 });
  const ofTenant = eq(webhookDeliveries.organizationId, used.tenant.organizationId);
  expect(await used.test.gateway.db.$count(webhookDeliveries, ofTenant)).toBe(1);
});
