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

/** Reports that the current run found these documents and no others, and that it could not index some of them. */
async function reportFound(found: readonly string[], failed: readonly string[] = []): Promise<DatasourceResponse> {
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

/** Reports that the current dry run found these documents and no others. */
async function reportSeen(seen: readonly string[], valid = seen.length): Promise<string> {
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

describe('the removals that a dry run predicts', () => {
  it.each([
    { share: '29.9 %', missing: 299, added: 0, isRemoved: true },
    { share: '30 %', missing: 300, added: 0, isRemoved: true },
    { share: '30.1 %', missing: 301, added: 0, isRemoved: false },
    { share: '30.1 %, with many new ones', missing: 301, added: 400, isRemoved: false },
    { share: 'all', missing: 1_000, added: 0, isRemoved: false },
    { share: 'all, with many new ones', missing: 1_000, added: 4_000, isRemoved: false },
  ])('are the ones that the next sync makes: $share', async ({ missing, added, isRemoved }) => {
    await reportFound(keys(1_000));
    const there = [...keys(1_000).slice(missing), ...keys(added, 'new')];
    await sync('?dryRun=true&full=true');
    const note = await reportSeen(there);
    expect(note).toBe(
      isRemoved
        ? `Read. ${missing} of 1000 known documents would be removed.`
        : `Read. ${missing} of 1000 known documents were not found again. They would be kept, because so many at once suggest a fault of the source. Only a sync with allowMassRemoval=true would remove them.`,
    );
    await sync('?full=true');
    const { run } = await reportFound(there);
    expect(run?.counters.removed).toBe(isRemoved ? missing : 0);
    if (!isRemoved) expect(run?.note).toContain(`${missing} of 1000 known documents`);
  });

  it('include documents that an earlier mass removal kept', async () => {
    await reportFound(keys(12));
    await sync('?full=true');
    await reportFound(keys(4), ['item:0']);
    await sync('?full=true');
    const { run } = await reportFound(keys(4));
    const [last] = await used.test.gateway.db
      .select()
      .from(runs)
      .where(eq(runs.id, run?.id ?? ''));
    expect(last).toMatchObject({ documentsKnown: 12 });
    await sync('?dryRun=true&full=true');
    expect(await reportSeen(keys(4))).toContain('8 of 12 known documents were not found again');
    await sync('?dryRun=true&allowMassRemoval=true');
    expect(await reportSeen(keys(4))).toContain('8 of 12 known documents would be removed');
    await sync('?allowMassRemoval=true');
    expect((await reportFound(keys(4))).run?.counters.removed).toBe(8);
    await sync('?dryRun=true&full=true');
    expect(await reportSeen(keys(4))).toContain('0 of 4 known documents would be removed');
  });

  it('depend on the validity of a new document that replaces the only known one', async () => {
    await reportFound(keys(1));
    await sync('?dryRun=true&full=true');
    expect(await reportSeen(['new'])).toContain('1 of 1 known documents would be removed');
    await sync('?dryRun=true&full=true');
    expect(await reportSeen(['new'], 0)).toContain('would be kept');
  });
});
