import { Readable } from 'node:stream';
import { datasourceStatusQueue, type DatasourceResponse } from '@quarry/contracts';
import { and, eq, inArray } from 'drizzle-orm';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startConsumers } from '../consumers.js';
import { documents } from '../database/tables/documents.js';
import { runs } from '../database/tables/runs.js';
import { textOf } from '../testing/make.js';
import { useTenant } from '../testing/use-tenant.js';

const AT = '2026-06-01T12:00:00.000Z';

const used = useTenant();
let id: string;

beforeAll(() => {
  startConsumers(used.test.gateway);
});

beforeEach(async () => {
  const config = { url: 'https://shop.example.com/items' };
  const body = { type: 'item_listing', name: 'Shop', datastoreId: used.datastore, config };
  id = textOf(await used.tenant.api.post('/api/datasources').send(body), 'id');
});

const show = async () => (await used.tenant.api.get(`/api/datasources/${id}`)).body as DatasourceResponse;
const sync = (query = '') => used.tenant.api.post(`/api/datasources/${id}/sync${query}`).expect(200);
const keys = (count: number, prefix = 'item'): readonly string[] =>
  Array.from({ length: count }, (_, at) => `${prefix}:${at}`);

/** The run under way has found these documents, and no others; some of them could not be indexed. */
async function find(found: readonly string[], failed: readonly string[] = []): Promise<DatasourceResponse> {
  const { db, queues } = used.test.gateway;
  const runId = (await show()).run?.id ?? '';
  const identity = { organizationId: used.tenant.organizationId, datasourceId: id };
  const row = {
    ...identity,
    runId,
    outcome: 'indexed' as const,
    fragments: 1,
    storedTokens: 5,
    settledAt: new Date(AT),
  };
  const rows = found.map((documentKey) => ({ ...row, documentKey }));
  const target = [documents.datasourceId, documents.documentKey];
  if (rows.length > 0) await db.insert(documents).values(rows).onConflictDoUpdate({ target, set: { runId } });
  if (failed.length > 0) {
    const failure = { outcome: 'failed' as const, code: 'file_unreadable' as const };
    await db
      .update(documents)
      .set(failure)
      .where(and(eq(documents.datasourceId, id), inArray(documents.documentKey, [...failed])));
  }
  await db.update(runs).set({ documentsSettled: found.length }).where(eq(runs.id, runId));
  const event = { datasourceId: id, runId, at: AT, complete: true };
  await queues.producer(datasourceStatusQueue).add('run-enumerated', event);
  await used.test.queues.drain();
  return show();
}

/** The dry run under way has seen all of these, and nothing else. */
async function see(seen: readonly string[], valid = seen.length): Promise<string> {
  const { blobs, queues } = used.test.gateway;
  const runId = (await show()).run?.id ?? '';
  const blobKey = `${used.tenant.organizationId}/${used.datastore}/${id}/runs/seen`;
  await blobs.write(blobKey, Readable.from([JSON.stringify(seen)]));
  const event = { datasourceId: id, runId, at: AT, complete: false, note: 'Read.' };
  await queues.producer(datasourceStatusQueue).add('run-enumerated', { ...event, wouldKeep: { blobKey, valid } });
  await used.test.queues.drain();
  await expect(blobs.read(blobKey)).rejects.toThrow('there is no blob');
  return (await show()).run?.note ?? '';
}

describe('what a dry run says is gone', () => {
  it.each([
    { share: '29.9 %', gone: 299, added: 0, goes: true },
    { share: '30 %', gone: 300, added: 0, goes: true },
    { share: '30.1 %', gone: 301, added: 0, goes: false },
    { share: '30.1 %, with many new ones', gone: 301, added: 400, goes: false },
    { share: 'all', gone: 1_000, added: 0, goes: false },
    { share: 'all, with many new ones', gone: 1_000, added: 4_000, goes: false },
  ])('is what the next sync then does: $share', async ({ gone, added, goes }) => {
    await find(keys(1_000));
    const there = [...keys(1_000).slice(gone), ...keys(added, 'new')];
    await sync('?dryRun=true&full=true');
    const told = await see(there);
    expect(told).toBe(
      goes
        ? `Read. ${gone} of 1000 known documents would be removed.`
        : `Read. ${gone} of 1000 known documents were not found again. They would be kept, because so many at once suggest a fault of the source. Only a sync with allowMassRemoval=true would remove them.`,
    );
    await sync('?full=true');
    const { run } = await find(there);
    expect(run?.counters.removed).toBe(goes ? gone : 0);
    if (!goes) expect(run?.note).toContain(`${gone} of 1000 known documents`);
  });

  it('counts what was kept because it was so much', async () => {
    await find(keys(12));
    await sync('?full=true');
    await find(keys(4), ['item:0']);
    await sync('?full=true');
    const { run } = await find(keys(4));
    const [last] = await used.test.gateway.db
      .select()
      .from(runs)
      .where(eq(runs.id, run?.id ?? ''));
    expect(last).toMatchObject({ documentsKnown: 12 });
    await sync('?dryRun=true&full=true');
    expect(await see(keys(4))).toContain('8 of 12 known documents were not found again');
    await sync('?dryRun=true&allowMassRemoval=true');
    expect(await see(keys(4))).toContain('8 of 12 known documents would be removed');
    await sync('?allowMassRemoval=true');
    expect((await find(keys(4))).run?.counters.removed).toBe(8);
    await sync('?dryRun=true&full=true');
    expect(await see(keys(4))).toContain('0 of 4 known documents would be removed');
  });

  it('is nothing that would be kept when the only document has become another one, unless that is not valid', async () => {
    await find(keys(1));
    await sync('?dryRun=true&full=true');
    expect(await see(['new'])).toContain('1 of 1 known documents would be removed');
    await sync('?dryRun=true&full=true');
    expect(await see(['new'], 0)).toContain('would be kept');
  });
});
