import { Readable } from 'node:stream';
import { datasourceStatusQueue, type DatasourceResponse } from '@quarry/contracts';
import { and, eq, inArray } from 'drizzle-orm';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startConsumers } from '../consumers.js';
import { documents } from '../database/tables/documents.js';
import { runs } from '../database/tables/runs.js';
import { getStringField } from '../testing/create-resources.js';
import { setUpTenant } from '../testing/set-up-tenant.js';

const AT = '2026-06-01T12:00:00.000Z';

const used = setUpTenant();
let id: string;

beforeAll(() => {
  startConsumers(used.test.gateway);
});

beforeEach(async () => {
  const config = { url: 'https://shop.example.com/items' };
  const body = { type: 'item_listing', name: 'Shop', datastoreId: used.datastore, config };
  id = getStringField(await used.tenant.api.post('/api/datasources').send(body), 'id');
});

const getDatasource = async () => (await used.tenant.api.get(`/api/datasources/${id}`)).body as DatasourceResponse;
const startSync = (query = '') => used.tenant.api.post(`/api/datasources/${id}/sync${query}`).expect(200);
const buildKeys = (count: number, prefix = 'item'): readonly string[] =>
  Array.from({ length: count }, (_, at) => `${prefix}:${at}`);

/** Ends the current run as if it had found exactly the documents `found`, but had failed to index those in `failed`. */
async function reportFoundDocuments(
  found: readonly string[],
  failed: readonly string[] = [],
): Promise<DatasourceResponse> {
  const { db, queues } = used.test.gateway;
  const runId = (await getDatasource()).run?.id ?? '';
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
  await queues.createProducer(datasourceStatusQueue).add('run-enumerated', event);
  await used.test.queues.runAllJobs();
  return getDatasource();
}

/**
 * Ends the current dry run as if it had found exactly the documents `seen`.
 *
 * @param valid the number of these documents that could be indexed
 * @returns the note of the run
 */
async function reportDryRun(seen: readonly string[], valid = seen.length): Promise<string> {
  const { blobs, queues } = used.test.gateway;
  const runId = (await getDatasource()).run?.id ?? '';
  const blobKey = `${used.tenant.organizationId}/${used.datastore}/${id}/runs/seen`;
  await blobs.write(blobKey, Readable.from([JSON.stringify(seen)]));
  const event = { datasourceId: id, runId, at: AT, complete: false, note: 'Read.' };
  await queues.createProducer(datasourceStatusQueue).add('run-enumerated', { ...event, wouldKeep: { blobKey, valid } });
  await used.test.queues.runAllJobs();
  await expect(blobs.read(blobKey)).rejects.toThrow('there is no blob');
  return (await getDatasource()).run?.note ?? '';
}

describe('the removals that a dry run predicts', () => {
  it.each([
    { share: '29.9 %', missing: 299, added: 0, isRemoved: true },
    { share: '30 %', missing: 300, added: 0, isRemoved: true },
    { share: '30.1 %', missing: 301, added: 0, isRemoved: false },
    { share: '30.1 %, with 400 new documents', missing: 301, added: 400, isRemoved: false },
    { share: 'all', missing: 1_000, added: 0, isRemoved: false },
    { share: 'all, with 4,000 new documents', missing: 1_000, added: 4_000, isRemoved: false },
  ])(
    'a dry run predicts whether the next sync removes the missing documents; share of missing documents: $share',
    async ({ missing, added, isRemoved }) => {
      await reportFoundDocuments(buildKeys(1_000));
      const there = [...buildKeys(1_000).slice(missing), ...buildKeys(added, 'new')];
      await startSync('?dryRun=true&full=true');
      const note = await reportDryRun(there);
      const removal = { documents: missing, of: 1_000, threshold: 0.3, needsConfirmation: !isRemoved };
      expect((await getDatasource()).run?.removal).toEqual(removal);
      expect(note).toBe(
        isRemoved
          ? `Read. ${missing} of 1000 known documents would be removed.`
          : `Read. ${missing} of 1000 known documents were not found again. They would be kept, because so many at once suggest a fault of the source. Only a sync with allowMassRemoval=true would remove them.`,
      );
      const code = isRemoved ? 'dry_run_missing_documents_removed' : 'dry_run_missing_documents_kept';
      const notes = (await getDatasource()).run?.notes;
      expect(notes?.at(-1)).toMatchObject({ code, parameters: { missing, known: 1_000 } });
      await startSync('?full=true');
      const { run } = await reportFoundDocuments(there);
      expect(run?.counters.removed).toBe(isRemoved ? missing : 0);
      expect(run?.removal).toEqual(removal);
      if (!isRemoved) expect(run?.note).toContain(`${missing} of 1000 known documents`);
    },
  );

  it('a dry run also counts missing documents that an earlier sync kept because too many were missing', async () => {
    await reportFoundDocuments(buildKeys(12));
    await startSync('?full=true');
    await reportFoundDocuments(buildKeys(4), ['item:0']);
    await startSync('?full=true');
    const { run } = await reportFoundDocuments(buildKeys(4));
    const [last] = await used.test.gateway.db
      .select()
      .from(runs)
      .where(eq(runs.id, run?.id ?? ''));
    expect(last).toMatchObject({ documentsKnown: 12 });
    await startSync('?dryRun=true&full=true');
    expect(await reportDryRun(buildKeys(4))).toContain('8 of 12 known documents were not found again');
    await startSync('?dryRun=true&allowMassRemoval=true');
    expect(await reportDryRun(buildKeys(4))).toContain('8 of 12 known documents would be removed');
    await startSync('?allowMassRemoval=true');
    expect((await reportFoundDocuments(buildKeys(4))).run?.counters.removed).toBe(8);
    await startSync('?dryRun=true&full=true');
    expect(await reportDryRun(buildKeys(4))).toContain('0 of 4 known documents would be removed');
    expect((await getDatasource()).run?.removal).toBeNull();
  });

  it('if a new document replaces the only known document, a dry run predicts the removal of the known document only if the new document is valid', async () => {
    await reportFoundDocuments(buildKeys(1));
    await startSync('?dryRun=true&full=true');
    expect(await reportDryRun(['new'])).toContain('1 of 1 known document would be removed');
    await startSync('?dryRun=true&full=true');
    expect(await reportDryRun(['new'], 0)).toContain('would be kept');
  });
});
