import { type DatasourceResponse, datasourceStatusQueue, NO_COUNTERS, type StatusChanged } from '@quarry/contracts';
import { eq, inArray, sql } from 'drizzle-orm';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { silentLog } from '@quarry/queue/testing';
import { startConsumers } from '../consumers.js';
import { newId } from '../database/id.js';
import { datasources } from '../database/tables/datasources.js';
import { documents } from '../database/tables/documents.js';
import { runDocuments } from '../database/tables/run-documents.js';
import { runs } from '../database/tables/runs.js';
import { updateOrganization } from '../organizations/organization-repository.js';
import { openRunGateway } from '../runs/open-run-gateway.js';
import { claimTokens, getStoredTokens } from '../usage/claim-tokens.js';
import { listBlobs } from '../testing/blobs.js';
import { listIngestionJobs } from '../testing/jobs.js';
import { makeDatastore, makeSite, uploadText } from '../testing/make.js';
import { useTenant } from '../testing/use-tenant.js';
import { handleDocumentSettled, handleStatusesChanged } from './run-events.js';

const AT = '2026-06-01T12:00:00.000Z';
const AT_ANY_TIME: unknown = expect.any(String);
const COUNTERS = { ...NO_COUNTERS, discovered: 1, indexed: 1 };

const used = useTenant();
let datasourceId: string;
let runId: string;

beforeAll(() => {
  startConsumers(used.test.gateway);
});
beforeEach(async () => {
  datasourceId = await uploadText(used.tenant.api, used.datastore);
  runId = (await shown()).run?.id ?? '';
});

async function shown(): Promise<DatasourceResponse> {
  return (await used.tenant.api.get(`/api/datasources/${datasourceId}`)).body as DatasourceResponse;
}

const producer = () => used.test.queues.producer(datasourceStatusQueue);

/** Enqueues events as the worker does, each with its own id, even if it is repeated. */
async function emit(...events: readonly (() => Promise<unknown>)[]): Promise<void> {
  for (const event of events) await event();
  await used.test.queues.drain();
}

const started =
  (sequence = 1) =>
  async () =>
    producer().add('status-changed', { datasourceId, runId, sequence, at: AT, status: 'running' });
const progressed = (sequence: number, done: number) => async () =>
  producer().add('run-progressed', {
    ...{ datasourceId, runId, sequence, at: AT, stage: 'embedding' },
    progress: { done, total: 10, unit: 'fragments' },
  });
const settled =
  (sequence: number, more: object = {}) =>
  async () =>
    producer().add('status-changed', { datasourceId, runId, sequence, at: AT, status: 'synched', ...more });

async function timeline(): Promise<unknown> {
  const [run] = await used.test.gateway.db.select().from(runs).where(eq(runs.id, runId));
  return run?.timeline.map(({ step }) => step);
}

describe('the events of a run', () => {
  it('change a datasource from pending over running to synched, with the reported values', async () => {
    await emit(started());
    expect(await shown()).toMatchObject({ status: 'running', run: { startedAt: AT, endedAt: null } });
    await emit(progressed(2, 4));
    expect((await shown()).run).toMatchObject({
      stage: 'embedding',
      progress: { done: 4, total: 10, unit: 'fragments' },
    });
    await emit(settled(3, { counters: COUNTERS, fragments: 3, storedTokens: 120 }));
    expect(await shown()).toMatchObject({
      status: 'synched',
      lastSynch: AT,
      error: null,
      run: { stage: null, progress: null, counters: COUNTERS, endedAt: AT },
    });
    const [row] = await used.test.gateway.db.select().from(datasources).where(eq(datasources.id, datasourceId));
    expect(row).toMatchObject({ fragments: 3, storedTokens: 120 });
    expect(await timeline()).toEqual(['pending', 'running', 'embedding', 'synched']);
  });

  it('keep the reason of a failure, and the time of the last success', async () => {
    await emit(settled(1));
    await used.tenant.api.post(`/api/datasources/${datasourceId}/sync`);
    runId = (await shown()).run?.id ?? '';
    await emit(settled(1, { status: 'error', code: 'file_encrypted', message: 'The file is encrypted.' }));
    expect(await shown()).toMatchObject({
      status: 'error',
      error: { code: 'file_encrypted', message: 'The file is encrypted.' },
      lastSynch: AT,
    });
    await used.tenant.api.post(`/api/datasources/${datasourceId}/sync`);
    expect(await shown()).toMatchObject({ status: 'pending', error: null });
  });

  it('keep the reserved tokens and the recorded documents of a run until it ends', async () => {
    const { organizationId } = used.tenant;
    const { db } = used.test.gateway;
    await updateOrganization(db, organizationId, { limits: { storedTokens: 100 } }, new Date());
    await claimTokens(db, { organizationId, datasourceId, documentKey: 'a', tokens: 60 });
    const document = { documentKey: 'a', name: 'a', blobKey: 'a', mimeType: 'text/plain' };
    const recorded = { datasourceId, runId, at: AT, toIndex: [document], settled: [] };
    await openRunGateway(used.test.gateway).recordDocuments(recorded);
    await emit(started(), progressed(2, 4));
    expect(await getStoredTokens(db, organizationId)).toBe(60);
    expect(await db.$count(runDocuments, eq(runDocuments.runId, runId))).toBe(1);
    await emit(settled(3));
    expect(await getStoredTokens(db, organizationId)).toBe(0);
    expect(await db.$count(runDocuments, eq(runDocuments.runId, runId))).toBe(0);
  });

  it('change nothing when they are late, repeated, out of order, or of a superseded run', async () => {
    await emit(started(), progressed(5, 5));
    const before = await shown();
    await emit(progressed(3, 1), progressed(4, 2));
    expect(await shown()).toEqual(before);
    const old = settled(6);
    await emit(old);
    const after = await shown();
    expect(after.status).toBe('synched');
    await emit(progressed(7, 9), settled(8, { status: 'error', code: 'late' }), started(9));
    expect(await shown()).toEqual(after);
    await used.tenant.api.post(`/api/datasources/${datasourceId}/sync`);
    const again = await shown();
    await emit(settled(10));
    expect(await shown()).toEqual(again);
    expect(await timeline()).toEqual(['pending', 'running', 'embedding', 'synched']);
  });

  it('are ignored for a removed datasource, and do not block other events', async () => {
    const [removedId, removedRunId] = [datasourceId, runId];
    await used.tenant.api.delete(`/api/datasources/${removedId}`);
    datasourceId = await uploadText(used.tenant.api, used.datastore);
    runId = (await shown()).run?.id ?? '';
    const late = { datasourceId: removedId, runId: removedRunId, sequence: 1, at: AT, status: 'synched' } as const;
    await emit(async () => producer().add('status-changed', late), settled(1));
    expect((await shown()).status).toBe('synched');
    const unknownIds = { ...late, datasourceId: 'no id', runId: 'none' };
    await emit(async () => producer().add('status-changed', unknownIds));
    expect(used.test.queues.failed(datasourceStatusQueue)).toEqual([]);
  });

  it('remove the blob that a newer upload replaced, once the newer run has ended', async () => {
    await uploadText(used.tenant.api, used.datastore, 'newer');
    const ownBlobs = () => listBlobs(used.test, used.tenant.organizationId);
    await emit(settled(1));
    expect(ownBlobs()).toHaveLength(2);
    runId = (await shown()).run?.id ?? '';
    await emit(settled(1));
    expect(ownBlobs()).toHaveLength(1);
    expect(await used.test.blobs.readText(ownBlobs()[0] ?? '')).toBe('newer');
  });
});

describe('the events of a run of several documents', () => {
  beforeEach(async () => {
    datasourceId = await makeSite(used.tenant.api, used.datastore);
    runId = (await shown()).run?.id ?? '';
  });

  const document =
    (documentKey: string, outcome: 'indexed' | 'failed' | 'skipped' | 'unchanged', more: object = {}) =>
    async () =>
      producer().add('document-settled', { datasourceId, runId, documentKey, at: AT, outcome, ...more });
  const enumerated =
    (more: object = {}) =>
    async () =>
      producer().add('run-enumerated', { datasourceId, runId, at: AT, complete: true, ...more });
  /** Records a document that the run has found, which is to be indexed. */
  const found = (documentKey: string) => async () => {
    const document = { documentKey, name: documentKey, blobKey: `pages/${documentKey}`, mimeType: 'text/markdown' };
    const runGateway = openRunGateway(used.test.gateway);
    await runGateway.recordDocuments({ datasourceId, runId, at: AT, toIndex: [document], settled: [] });
  };

  async function startNextRun(): Promise<void> {
    await used.tenant.api.post(`/api/datasources/${datasourceId}/sync`);
    runId = (await shown()).run?.id ?? '';
  }

  it('end the run with the last document, though some failed', async () => {
    await emit(started(), found('a'), found('b'), found('c'));
    await emit(document('a', 'indexed', { fragments: 2, storedTokens: 50 }));
    await emit(document('b', 'failed', { code: 'fetch_failed', message: 'No answer.' }), enumerated());
    expect(await shown()).toMatchObject({
      status: 'running',
      run: { progress: { done: 2, total: 3, unit: 'documents' } },
    });
    await emit(document('c', 'unchanged'));
    expect(await shown()).toMatchObject({
      status: 'synched',
      error: null,
      failureReasons: [{ code: 'fetch_failed', message: 'No answer.', count: 1 }],
      run: { counters: { indexed: 1, failed: 1, unchanged: 1 } },
    });
    const [row] = await used.test.gateway.db.select().from(datasources).where(eq(datasources.id, datasourceId));
    expect(row).toMatchObject({ fragments: 2, storedTokens: 50 });
  });

  it('end the run with the enumeration when that comes last, and in error when all failed', async () => {
    const why = { code: 'fetch_failed', message: 'No answer.' };
    await emit(document('a', 'failed', why), document('b', 'failed', why), enumerated());
    expect(await shown()).toMatchObject({ status: 'error', error: { code: 'fetch_failed' } });
  });

  it('end a run that found nothing', async () => {
    await emit(enumerated());
    expect((await shown()).status).toBe('synched');
  });

  it('count once when they are repeated', async () => {
    const handlers = [found('c'), document('a', 'indexed'), document('b', 'skipped', { code: 'robots_disallowed' })];
    await emit(...handlers);
    await handleDocumentSettled(used.test.gateway, {
      datasourceId,
      runId,
      documentKey: 'a',
      at: AT,
      outcome: 'indexed',
    });
    expect((await shown()).run).toMatchObject({ counters: { indexed: 1, skipped: 1 } });
    await emit(enumerated());
    expect((await shown()).status).toBe('pending');
  });

  it('remove documents that a complete enumeration did not find, by jobs', async () => {
    const keys = ['a', 'b', 'c', 'd'];
    await emit(...keys.map((key) => document(key, 'indexed', { fragments: 1 })), enumerated());
    await startNextRun();
    await emit(...keys.slice(1).map((key) => document(key, 'unchanged')), enumerated());
    expect(await shown()).toMatchObject({ status: 'synched', run: { counters: { unchanged: 3, removed: 1 } } });
    const removed = (await listIngestionJobs(used.test, used.tenant.organizationId)).filter(
      ({ name }) => name === 'remove-document',
    );
    expect(removed).toMatchObject([{ payload: { datasourceId, runId, documentKey: 'a' } }]);
    expect(await used.test.gateway.db.$count(documents, eq(documents.datasourceId, datasourceId))).toBe(3);
    const [row] = await used.test.gateway.db.select().from(datasources).where(eq(datasources.id, datasourceId));
    expect(row?.fragments).toBe(3);
  });

  it('keep all documents when the enumeration was not complete, or when suspiciously many are missing', async () => {
    const keys = ['a', 'b', 'c', 'd'];
    await emit(...keys.map((key) => document(key, 'indexed')), enumerated());
    await startNextRun();
    await emit(document('a', 'unchanged'), enumerated({ complete: false }));
    await startNextRun();
    await emit(document('a', 'unchanged'), enumerated({ note: 'One page.' }));
    expect(await used.test.gateway.db.$count(documents, eq(documents.datasourceId, datasourceId))).toBe(4);
    const [run] = await used.test.gateway.db.select().from(runs).where(eq(runs.id, runId));
    expect(run?.note).toMatch(/^One page\. 3 of 4 known documents were not found again/);
    expect((await shown()).status).toBe('synched');
  });

  it('show how many pages were found, fetched, indexed and failed while others are still being found', async () => {
    const fetching = (sequence: number, fetched: number) => async () =>
      producer().add('run-progressed', {
        ...{ datasourceId, runId, sequence, at: AT, stage: 'fetching' },
        progress: { done: fetched, total: 40, unit: 'pages' },
        counters: { ...NO_COUNTERS, discovered: 40, fetched },
      });
    await emit(started(), found('a'), found('b'), found('c'), fetching(2, 2));
    await emit(document('a', 'indexed'), document('b', 'failed', { code: 'too_large' }));
    expect((await shown()).run).toMatchObject({
      stage: 'fetching',
      progress: { done: 2, total: 40, unit: 'pages' },
      counters: { discovered: 3, fetched: 2, indexed: 1, failed: 1 },
    });
    await emit(fetching(3, 20), enumerated({ discovered: 41, fetched: 41 }), document('c', 'unchanged'));
    expect((await shown()).run).toMatchObject({
      endedAt: AT_ANY_TIME,
      counters: { discovered: 3, fetched: 3, indexed: 1, failed: 1, unchanged: 1 },
    });
  });

  it('remove the fragments of a document that is now excluded, also after an incomplete enumeration', async () => {
    const keys = ['a', 'b', 'c', 'd'];
    await emit(...keys.map((key) => document(key, 'indexed', { fragments: 2, storedTokens: 9 })), enumerated());
    await startNextRun();
    const noindex = { code: 'noindex', message: 'The page excludes itself from indexing.' };
    await emit(document('a', 'skipped', noindex), document('b', 'unchanged'), enumerated({ complete: false }));
    expect(await shown()).toMatchObject({ status: 'synched', run: { counters: { skipped: 1, removed: 1 } } });
    const removed = (await listIngestionJobs(used.test, used.tenant.organizationId)).filter(
      ({ name }) => name === 'remove-document',
    );
    expect(removed).toMatchObject([{ payload: { datasourceId, runId, documentKey: 'a' } }]);
    const rows = await used.test.gateway.db.select().from(documents).where(eq(documents.datasourceId, datasourceId));
    expect(rows.find(({ documentKey }) => documentKey === 'a')).toMatchObject({ ...noindex, fragments: 0 });
    const [row] = await used.test.gateway.db.select().from(datasources).where(eq(datasources.id, datasourceId));
    expect(row).toMatchObject({ fragments: 6, storedTokens: 27 });
    await startNextRun();
    await emit(document('a', 'skipped', noindex), enumerated({ complete: false }));
    expect((await shown()).run).toMatchObject({ counters: { skipped: 1, removed: 0 } });
  });

  it('keep the fragments when suspiciously many documents are excluded at once', async () => {
    const keys = ['a', 'b', 'c', 'd'];
    await emit(...keys.map((key) => document(key, 'indexed', { fragments: 2 })), enumerated());
    await startNextRun();
    await emit(...keys.slice(2).map((key) => document(key, 'skipped', { code: 'noindex' })));
    await emit(...keys.slice(0, 2).map((key) => document(key, 'unchanged')), enumerated());
    expect((await shown()).run).toMatchObject({
      counters: { skipped: 2, removed: 0 },
      note: expect.stringMatching(/^2 of 4 known documents/) as unknown,
    });
    expect(
      (await listIngestionJobs(used.test, used.tenant.organizationId)).filter(({ name }) => name === 'remove-document'),
    ).toEqual([]);
  });

  it('are ignored for an earlier run, or one that has ended', async () => {
    await emit(found('a'), enumerated(), document('a', 'indexed'));
    const before = await shown();
    await emit(document('b', 'failed'));
    expect(await shown()).toEqual(before);
    const late = document('c', 'failed');
    await startNextRun();
    runId = newId();
    await emit(late);
    expect((await shown()).run).toMatchObject({ counters: NO_COUNTERS });
  });
});

describe('status changed', () => {
  const used = useTenant();
  const db = () => used.test.gateway.db;
  let files: readonly string[];

  beforeAll(() => {
    startConsumers(used.test.gateway);
  });
  beforeEach(async () => {
    const names = ['a.txt', 'b.txt', 'c.txt'];
    files = await Promise.all(names.map((name) => uploadText(used.tenant.api, used.datastore, name, name)));
  });

  async function runOf(datasourceId: string): Promise<string> {
    const [row] = await db().select().from(datasources).where(eq(datasources.id, datasourceId));
    return row?.runId ?? '';
  }

  /** The payload as a plain object. */
  type Change = Omit<StatusChanged, never>;

  async function change(datasourceId = '', more: Partial<Change> = {}): Promise<Change> {
    return { datasourceId, runId: await runOf(datasourceId), sequence: 9_999, at: AT, status: 'synched', ...more };
  }

  /** Enqueues changes as one job, and waits for its end. */
  async function enqueue(...changes: readonly Change[]): Promise<void> {
    await used.test.queues.producer(datasourceStatusQueue).add('statuses-changed', { changes });
    await used.test.queues.drain();
  }

  const warnings: string[] = [];
  const log = { ...silentLog, warn: (_fields: object, message: string) => void warnings.push(message) };
  const record = async (...changes: readonly Change[]): Promise<void> =>
    handleStatusesChanged(used.test.gateway, changes, { log });

  async function statuses(ids: readonly string[] = files): Promise<readonly unknown[]> {
    const rows = await db()
      .select()
      .from(datasources)
      .where(inArray(datasources.id, [...ids]));
    return ids.map((id) => rows.find((row) => row.id === id)?.status);
  }

  describe('changes that are reported together', () => {
    it('are written in one transaction, each with its values', async () => {
      const [a, b, c] = files;
      const site = await makeSite(used.tenant.api, used.datastore);
      await enqueue(
        await change(a, { fragments: 3, storedTokens: 120 }),
        await change(b, { status: 'running', sequence: 1 }),
        await change(c, { status: 'error', code: 'file_encrypted', message: 'It is encrypted.' }),
        await change(site, { status: 'running', sequence: 1 }),
        await change(b, { storedTokens: 7, startedAt: AT }),
      );
      const ids = [...files, site];
      expect(await statuses(ids)).toEqual(['synched', 'synched', 'error', 'running']);
      const shown = async (id = ''): Promise<unknown> => (await used.tenant.api.get(`/api/datasources/${id}`)).body;
      expect(await shown(a)).toMatchObject({ error: null, lastSynch: AT, run: { startedAt: AT, endedAt: AT } });
      expect(await shown(c)).toMatchObject({ error: { code: 'file_encrypted', message: 'It is encrypted.' } });
      expect(await shown(site)).toMatchObject({ run: { startedAt: AT, endedAt: null, progress: null } });
      const [run] = await db()
        .select()
        .from(runs)
        .where(eq(runs.id, await runOf(b ?? '')));
      expect(run?.timeline.map(({ step }) => step)).toEqual(['pending', 'running', 'synched']);
      expect(await getStoredTokens(db(), used.tenant.organizationId)).toBe(127);
      const written = await db()
        .select({ by: sql<string>`xmin::text` })
        .from(datasources)
        .where(inArray(datasources.id, ids));
      expect(new Set(written.map(({ by }) => by)).size).toBe(1);
    });

    it('may concern several organizations', async () => {
      const other = await used.test.tenant();
      const otherFile = await uploadText(other.api, await makeDatastore(other.api));
      await enqueue(await change(files[0], { storedTokens: 5 }), await change(otherFile, { storedTokens: 6 }));
      expect(await statuses([files[0] ?? '', otherFile])).toEqual(['synched', 'synched']);
      expect(await getStoredTokens(db(), used.tenant.organizationId)).toBe(5);
      expect(await getStoredTokens(db(), other.organizationId)).toBe(6);
    });

    it('change nothing when they are repeated, alone or with others', async () => {
      const [a, b, c] = await Promise.all(files.map(async (id) => change(id, { storedTokens: 10 })));
      if (a === undefined || b === undefined || c === undefined) throw new Error('expected three uploaded files');
      await record(a, b);
      const before = await db().select().from(datasources).where(eq(datasources.id, a.datasourceId));
      await record({ ...a, sequence: 10_000, status: 'error', storedTokens: 99 }, b, c);
      await record(a);
      expect(await statuses()).toEqual(['synched', 'synched', 'synched']);
      expect(await db().select().from(datasources).where(eq(datasources.id, a.datasourceId))).toEqual(before);
      expect(await getStoredTokens(db(), used.tenant.organizationId)).toBe(30);
    });

    it('are not blocked by a change that cannot be written, and are retried with it', async () => {
      const [a, b, c] = files;
      const broken = await change(b);
      const [run] = await db().select().from(runs).where(eq(runs.id, broken.runId));
      if (run === undefined) throw new Error('expected a run of the file');
      await db().delete(runs).where(eq(runs.id, broken.runId));
      const all = [await change(a), broken, await change(c)];
      await expect(record(...all)).rejects.toThrow(
        `expected a row of run ${broken.runId} of datasource ${b ?? ''}, found none`,
      );
      expect(await statuses()).toEqual(['synched', 'pending', 'synched']);
      expect(warnings).toEqual(['failed to record events in one transaction; each is recorded in its own transaction']);
      const { generation, ...written } = run;
      expect(generation).toBeGreaterThan(0);
      await db().insert(runs).values(written);
      await record(...all);
      expect(await statuses()).toEqual(['synched', 'synched', 'synched']);
    });

    it('are not blocked by changes of datasources that were removed or never existed', async () => {
      const [a, b] = files;
      const removed = await change(b);
      await used.tenant.api.delete(`/api/datasources/${removed.datasourceId}`);
      await enqueue(
        removed,
        { ...removed, datasourceId: newId() },
        { ...removed, datasourceId: 'no id' },
        await change(a),
      );
      expect(await statuses([a ?? ''])).toEqual(['synched']);
      expect(used.test.queues.failed(datasourceStatusQueue)).toEqual([]);
    });

    it('are not blocked by a change whose row another transaction has locked', async () => {
      const [a, b, c] = files;
      const all = [await change(a), await change(b), await change(c)];
      let recording: Promise<void> | undefined;
      await db().transaction(async (tx) => {
        await tx
          .select()
          .from(datasources)
          .where(eq(datasources.id, b ?? ''))
          .for('update');
        recording = record(...all);
        await expect.poll(async () => statuses(), { timeout: 10_000 }).toEqual(['synched', 'pending', 'synched']);
      });
      await recording;
      expect(await statuses()).toEqual(['synched', 'synched', 'synched']);
    });
  });
});
