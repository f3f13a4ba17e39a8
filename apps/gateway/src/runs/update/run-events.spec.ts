import { type DatasourceResponse, datasourceStatusQueue, NO_COUNTERS, type StatusChanged } from '@quarry/contracts';
import { eq, inArray, sql } from 'drizzle-orm';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { silentLog } from '@quarry/queue/testing';
import { startConsumers } from '../../consumers.js';
import { newId } from '../../database/id.js';
import { datasources } from '../../database/tables/datasources.js';
import { documents } from '../../database/tables/documents.js';
import { runDocuments } from '../../database/tables/run-documents.js';
import { runs } from '../../database/tables/runs.js';
import { updateOrganization } from '../../organizations/organization-repository.js';
import { openRunGateway } from '../record/open-run-gateway.js';
import { createOutcomeRecorder } from './record-outcomes.js';
import { claimTokens } from '../../usage/claim-tokens.js';
import { loadStoredTokens } from '../../usage/stored-content.js';
import { listBlobs } from '../../testing/blobs.js';
import { publishAndListIngestionJobs } from '../../testing/jobs.js';
import { createDatastore, createSite, uploadText } from '../../testing/create-resources.js';
import { setUpTenant } from '../../testing/set-up-tenant.js';
import { handleDocumentSettled, handleStatusesChanged } from './run-events.js';

const AT = '2026-06-01T12:00:00.000Z';
const AT_ANY_TIME: unknown = expect.any(String);
const COUNTERS = { ...NO_COUNTERS, discovered: 1, indexed: 1 };

const used = setUpTenant();
let datasourceId: string;
let runId: string;

beforeAll(() => {
  startConsumers(used.test.gateway);
});
beforeEach(async () => {
  datasourceId = await uploadText(used.tenant.api, used.datastore);
  runId = (await getDatasource()).run?.id ?? '';
});

async function getDatasource(): Promise<DatasourceResponse> {
  return (await used.tenant.api.get(`/api/datasources/${datasourceId}`)).body as DatasourceResponse;
}

const getProducer = () => used.test.queues.createProducer(datasourceStatusQueue);

/**
 * Enqueues events as a worker does, and waits until the gateway has handled them.
 *
 * @param events functions that enqueue an event
 */
async function emitEvents(...events: readonly (() => Promise<unknown>)[]): Promise<void> {
  for (const event of events) await event();
  await used.test.queues.runAllJobs();
}

const reportStart =
  (sequence = 1) =>
  async () =>
    getProducer().add('status-changed', { datasourceId, runId, sequence, at: AT, status: 'running' });
const reportProgress = (sequence: number, done: number) => async () =>
  getProducer().add('run-progressed', {
    ...{ datasourceId, runId, sequence, at: AT, stage: 'embedding' },
    progress: { done, total: 10, unit: 'fragments' },
  });
const reportEnd =
  (sequence: number, more: object = {}) =>
  async () =>
    getProducer().add('status-changed', { datasourceId, runId, sequence, at: AT, status: 'synched', ...more });

async function listSteps(): Promise<unknown> {
  const [run] = await used.test.gateway.db.select().from(runs).where(eq(runs.id, runId));
  return run?.timeline.map(({ step }) => step);
}

describe('the events of a run', () => {
  it('the events of a run change the datasource from pending to running to synched, and store the reported values', async () => {
    await emitEvents(reportStart());
    expect(await getDatasource()).toMatchObject({ status: 'running', run: { startedAt: AT, endedAt: null } });
    await emitEvents(reportProgress(2, 4));
    expect((await getDatasource()).run).toMatchObject({
      stage: 'embedding',
      progress: { done: 4, total: 10, unit: 'fragments' },
    });
    await emitEvents(reportEnd(3, { counters: COUNTERS, fragments: 3, storedTokens: 120 }));
    expect(await getDatasource()).toMatchObject({
      status: 'synched',
      lastSynch: AT,
      error: null,
      run: { stage: null, progress: null, counters: COUNTERS, endedAt: AT },
    });
    const [row] = await used.test.gateway.db.select().from(datasources).where(eq(datasources.id, datasourceId));
    expect(row).toMatchObject({ fragments: 3, storedTokens: 120 });
    expect(await listSteps()).toEqual(['pending', 'running', 'embedding', 'synched']);
  });

  it('after a failed run, a datasource shows the error until the next run, and still shows the time of the last successful run', async () => {
    await emitEvents(reportEnd(1));
    await used.tenant.api.post(`/api/datasources/${datasourceId}/sync`);
    runId = (await getDatasource()).run?.id ?? '';
    await emitEvents(reportEnd(1, { status: 'error', code: 'file_encrypted', message: 'The file is encrypted.' }));
    expect(await getDatasource()).toMatchObject({
      status: 'error',
      error: { code: 'file_encrypted', message: 'The file is encrypted.' },
      lastSynch: AT,
    });
    await used.tenant.api.post(`/api/datasources/${datasourceId}/sync`);
    expect(await getDatasource()).toMatchObject({ status: 'pending', error: null });
  });

  it('when a run ends, its token reservations and its list of documents in progress are deleted', async () => {
    const { organizationId } = used.tenant;
    const { db } = used.test.gateway;
    await updateOrganization(db, organizationId, { limits: { storedTokens: 100 } }, new Date());
    await claimTokens(db, { organizationId, datasourceId, documentKey: 'a', tokens: 60 });
    const document = { documentKey: 'a', name: 'a', blobKey: 'a', mimeType: 'text/plain' };
    const recorded = { datasourceId, runId, at: AT, toIndex: [document], settled: [] };
    await openRunGateway(used.test.gateway).recordDocuments(recorded);
    await emitEvents(reportStart(), reportProgress(2, 4));
    expect(await loadStoredTokens(db, organizationId)).toBe(60);
    expect(await db.$count(runDocuments, eq(runDocuments.runId, runId))).toBe(1);
    await emitEvents(reportEnd(3));
    expect(await loadStoredTokens(db, organizationId)).toBe(0);
    expect(await db.$count(runDocuments, eq(runDocuments.runId, runId))).toBe(0);
  });

  it('repeated run events, run events in the wrong order, and events of an ended or superseded run change nothing', async () => {
    await emitEvents(reportStart(), reportProgress(5, 5));
    const before = await getDatasource();
    await emitEvents(reportProgress(3, 1), reportProgress(4, 2));
    expect(await getDatasource()).toEqual(before);
    const old = reportEnd(6);
    await emitEvents(old);
    const after = await getDatasource();
    expect(after.status).toBe('synched');
    await emitEvents(reportProgress(7, 9), reportEnd(8, { status: 'error', code: 'late' }), reportStart(9));
    expect(await getDatasource()).toEqual(after);
    await used.tenant.api.post(`/api/datasources/${datasourceId}/sync`);
    const again = await getDatasource();
    await emitEvents(reportEnd(10));
    expect(await getDatasource()).toEqual(again);
    expect(await listSteps()).toEqual(['pending', 'running', 'embedding', 'synched']);
  });

  it('run events of a removed or unknown datasource are ignored, and do not block other events', async () => {
    const [removedId, removedRunId] = [datasourceId, runId];
    await used.tenant.api.delete(`/api/datasources/${removedId}`);
    datasourceId = await uploadText(used.tenant.api, used.datastore);
    runId = (await getDatasource()).run?.id ?? '';
    const late = { datasourceId: removedId, runId: removedRunId, sequence: 1, at: AT, status: 'synched' } as const;
    await emitEvents(async () => getProducer().add('status-changed', late), reportEnd(1));
    expect((await getDatasource()).status).toBe('synched');
    const unknownIds = { ...late, datasourceId: 'no id', runId: 'none' };
    await emitEvents(async () => getProducer().add('status-changed', unknownIds));
    expect(used.test.queues.listFailures(datasourceStatusQueue)).toEqual([]);
  });

  it('if a newer upload replaces a file, the blob of the older upload is removed when the run of the newer upload ends', async () => {
    await uploadText(used.tenant.api, used.datastore, 'newer');
    const listOwnBlobs = () => listBlobs(used.test, used.tenant.organizationId);
    await emitEvents(reportEnd(1));
    expect(listOwnBlobs()).toHaveLength(2);
    runId = (await getDatasource()).run?.id ?? '';
    await emitEvents(reportEnd(1));
    expect(listOwnBlobs()).toHaveLength(1);
    expect(await used.test.blobs.readText(listOwnBlobs()[0] ?? '')).toBe('newer');
  });
});

describe('the events of a run of several documents', () => {
  beforeEach(async () => {
    datasourceId = await createSite(used.tenant.api, used.datastore);
    runId = (await getDatasource()).run?.id ?? '';
  });

  const reportDocument =
    (documentKey: string, outcome: 'indexed' | 'failed' | 'skipped' | 'unchanged', more: object = {}) =>
    async () =>
      getProducer().add('document-settled', { datasourceId, runId, documentKey, at: AT, outcome, ...more });
  const reportEnumeration =
    (more: object = {}) =>
    async () =>
      getProducer().add('run-enumerated', { datasourceId, runId, at: AT, complete: true, ...more });
  /** Creates a function that records a document that the run has found and that must be indexed. */
  const recordFoundDocument = (documentKey: string) => async () => {
    const document = {
      documentKey,
      name: documentKey,
      blobKey: `pages/${documentKey}`,
      mimeType: 'text/markdown',
    };
    const runGateway = openRunGateway(used.test.gateway);
    await runGateway.recordDocuments({ datasourceId, runId, at: AT, toIndex: [document], settled: [] });
  };

  async function startNextRun(): Promise<void> {
    await used.tenant.api.post(`/api/datasources/${datasourceId}/sync`);
    runId = (await getDatasource()).run?.id ?? '';
  }

  it('a run ends as synched when its last document settles, even if one of its documents failed', async () => {
    await emitEvents(reportStart(), recordFoundDocument('a'), recordFoundDocument('b'), recordFoundDocument('c'));
    await emitEvents(reportDocument('a', 'indexed', { fragments: 2, storedTokens: 50 }));
    await emitEvents(
      reportDocument('b', 'failed', { code: 'fetch_failed', message: 'No answer.' }),
      reportEnumeration(),
    );
    expect(await getDatasource()).toMatchObject({
      status: 'running',
      run: { progress: { done: 2, total: 3, unit: 'documents' } },
    });
    await emitEvents(reportDocument('c', 'unchanged'));
    expect(await getDatasource()).toMatchObject({
      status: 'synched',
      error: null,
      failureReasons: [{ code: 'fetch_failed', message: 'No answer.', count: 1 }],
      run: { counters: { indexed: 1, failed: 1, unchanged: 1 } },
    });
    const [row] = await used.test.gateway.db.select().from(datasources).where(eq(datasources.id, datasourceId));
    expect(row).toMatchObject({ fragments: 2, storedTokens: 50 });
  });

  it('a run whose documents have all failed ends in error when the enumeration of documents ends', async () => {
    const why = { code: 'fetch_failed', message: 'No answer.' };
    await emitEvents(reportDocument('a', 'failed', why), reportDocument('b', 'failed', why), reportEnumeration());
    expect(await getDatasource()).toMatchObject({ status: 'error', error: { code: 'fetch_failed' } });
  });

  it('a run that found no documents ends as synched when the enumeration of documents ends', async () => {
    await emitEvents(reportEnumeration());
    expect((await getDatasource()).status).toBe('synched');
  });

  it('a document whose outcome is reported twice counts once', async () => {
    const handlers = [
      recordFoundDocument('c'),
      reportDocument('a', 'indexed'),
      reportDocument('b', 'skipped', { code: 'robots_disallowed' }),
    ];
    await emitEvents(...handlers);
    const { gateway } = used.test;
    const dependencies = { ...gateway, outcomes: createOutcomeRecorder(gateway) };
    await handleDocumentSettled(dependencies, {
      datasourceId,
      runId,
      documentKey: 'a',
      at: AT,
      outcome: 'indexed',
    });
    expect((await getDatasource()).run).toMatchObject({ counters: { indexed: 1, skipped: 1 } });
    await emitEvents(reportEnumeration());
    expect((await getDatasource()).status).toBe('pending');
  });

  it('if a complete enumeration does not find documents of an earlier run, the run enqueues jobs that remove these documents', async () => {
    const keys = ['a', 'b', 'c', 'd'];
    await emitEvents(...keys.map((key) => reportDocument(key, 'indexed', { fragments: 1 })), reportEnumeration());
    await startNextRun();
    await emitEvents(...keys.slice(1).map((key) => reportDocument(key, 'unchanged')), reportEnumeration());
    expect(await getDatasource()).toMatchObject({ status: 'synched', run: { counters: { unchanged: 3, removed: 1 } } });
    const removed = (await publishAndListIngestionJobs(used.test, used.tenant.organizationId)).filter(
      ({ name }) => name === 'remove-document',
    );
    expect(removed).toMatchObject([{ payload: { datasourceId, runId, documentKey: 'a' } }]);
    expect(await used.test.gateway.db.$count(documents, eq(documents.datasourceId, datasourceId))).toBe(3);
    const [row] = await used.test.gateway.db.select().from(datasources).where(eq(datasources.id, datasourceId));
    expect(row?.fragments).toBe(3);
  });

  it('if a run has recorded documents to index, the end of the run does not delete the jobs that remove missing documents', async () => {
    const keys = ['a', 'b', 'c', 'd'];
    await emitEvents(...keys.map((key) => reportDocument(key, 'indexed', { fragments: 1 })), reportEnumeration());
    await startNextRun();
    const found = keys.slice(1).flatMap((key) => [recordFoundDocument(key), reportDocument(key, 'unchanged')]);
    await emitEvents(...found, reportEnumeration());
    const jobs = await publishAndListIngestionJobs(used.test, used.tenant.organizationId);
    expect(jobs.filter(({ name }) => name === 'remove-document')).toMatchObject([{ payload: { documentKey: 'a' } }]);
  });

  it('a run does not remove missing documents if its enumeration was incomplete or if more than 30 % of the known documents are missing', async () => {
    const keys = ['a', 'b', 'c', 'd'];
    await emitEvents(...keys.map((key) => reportDocument(key, 'indexed')), reportEnumeration());
    await startNextRun();
    await emitEvents(reportDocument('a', 'unchanged'), reportEnumeration({ complete: false }));
    await startNextRun();
    await emitEvents(reportDocument('a', 'unchanged'), reportEnumeration({ note: 'One page.' }));
    expect(await used.test.gateway.db.$count(documents, eq(documents.datasourceId, datasourceId))).toBe(4);
    const [run] = await used.test.gateway.db.select().from(runs).where(eq(runs.id, runId));
    expect(run?.note).toMatch(/^One page\. 3 of 4 known documents were not found again/);
    expect((await getDatasource()).status).toBe('synched');
  });

  it('a run shows how many pages were found, fetched, indexed and failed while the crawl continues', async () => {
    const reportFetching = (sequence: number, fetched: number) => async () =>
      getProducer().add('run-progressed', {
        ...{ datasourceId, runId, sequence, at: AT, stage: 'fetching' },
        progress: { done: fetched, total: 40, unit: 'pages' },
        counters: { ...NO_COUNTERS, discovered: 40, fetched },
      });
    await emitEvents(
      reportStart(),
      recordFoundDocument('a'),
      recordFoundDocument('b'),
      recordFoundDocument('c'),
      reportFetching(2, 2),
    );
    await emitEvents(reportDocument('a', 'indexed'), reportDocument('b', 'failed', { code: 'too_large' }));
    expect((await getDatasource()).run).toMatchObject({
      stage: 'fetching',
      progress: { done: 2, total: 40, unit: 'pages' },
      counters: { discovered: 3, fetched: 2, indexed: 1, failed: 1 },
    });
    await emitEvents(
      reportFetching(3, 20),
      reportEnumeration({ discovered: 41, fetched: 41 }),
      reportDocument('c', 'unchanged'),
    );
    expect((await getDatasource()).run).toMatchObject({
      endedAt: AT_ANY_TIME,
      counters: { discovered: 3, fetched: 3, indexed: 1, failed: 1, unchanged: 1 },
    });
  });

  it('a run removes the fragments of a page that now forbids indexing, even after an incomplete enumeration', async () => {
    const keys = ['a', 'b', 'c', 'd'];
    await emitEvents(
      ...keys.map((key) => reportDocument(key, 'indexed', { fragments: 2, storedTokens: 9 })),
      reportEnumeration(),
    );
    await startNextRun();
    const noindex = { code: 'noindex', message: 'The page excludes itself from indexing.' };
    await emitEvents(
      reportDocument('a', 'skipped', noindex),
      reportDocument('b', 'unchanged'),
      reportEnumeration({ complete: false }),
    );
    expect(await getDatasource()).toMatchObject({ status: 'synched', run: { counters: { skipped: 1, removed: 1 } } });
    const removed = (await publishAndListIngestionJobs(used.test, used.tenant.organizationId)).filter(
      ({ name }) => name === 'remove-document',
    );
    expect(removed).toMatchObject([{ payload: { datasourceId, runId, documentKey: 'a' } }]);
    const rows = await used.test.gateway.db.select().from(documents).where(eq(documents.datasourceId, datasourceId));
    expect(rows.find(({ documentKey }) => documentKey === 'a')).toMatchObject({ ...noindex, fragments: 0 });
    const [row] = await used.test.gateway.db.select().from(datasources).where(eq(datasources.id, datasourceId));
    expect(row).toMatchObject({ fragments: 6, storedTokens: 27 });
    await startNextRun();
    await emitEvents(reportDocument('a', 'skipped', noindex), reportEnumeration({ complete: false }));
    expect((await getDatasource()).run).toMatchObject({ counters: { skipped: 1, removed: 0 } });
  });

  it('if more than 30 % of the known pages forbid indexing at once, the run keeps the fragments of these pages', async () => {
    const keys = ['a', 'b', 'c', 'd'];
    await emitEvents(...keys.map((key) => reportDocument(key, 'indexed', { fragments: 2 })), reportEnumeration());
    await startNextRun();
    await emitEvents(...keys.slice(2).map((key) => reportDocument(key, 'skipped', { code: 'noindex' })));
    await emitEvents(...keys.slice(0, 2).map((key) => reportDocument(key, 'unchanged')), reportEnumeration());
    expect((await getDatasource()).run).toMatchObject({
      counters: { skipped: 2, removed: 0 },
      note: expect.stringMatching(/^2 of 4 known documents/) as unknown,
    });
    expect(
      (await publishAndListIngestionJobs(used.test, used.tenant.organizationId)).filter(
        ({ name }) => name === 'remove-document',
      ),
    ).toEqual([]);
  });

  it('document events of an unknown run or of a run that has ended are ignored', async () => {
    await emitEvents(recordFoundDocument('a'), reportEnumeration(), reportDocument('a', 'indexed'));
    const before = await getDatasource();
    await emitEvents(reportDocument('b', 'failed'));
    expect(await getDatasource()).toEqual(before);
    const late = reportDocument('c', 'failed');
    await startNextRun();
    runId = newId();
    await emitEvents(late);
    expect((await getDatasource()).run).toMatchObject({ counters: NO_COUNTERS });
  });
});

describe('handleStatusesChanged', () => {
  const used = setUpTenant();
  const getDatabase = () => used.test.gateway.db;
  let files: readonly string[];

  beforeAll(() => {
    startConsumers(used.test.gateway);
  });
  beforeEach(async () => {
    const names = ['a.txt', 'b.txt', 'c.txt'];
    files = await Promise.all(names.map((name) => uploadText(used.tenant.api, used.datastore, name, name)));
  });

  async function getRunId(datasourceId: string): Promise<string> {
    const [row] = await getDatabase().select().from(datasources).where(eq(datasources.id, datasourceId));
    return row?.runId ?? '';
  }

  /** The fields of the class `StatusChanged`, as the type of plain objects. */
  type Change = Omit<StatusChanged, never>;

  async function createChange(datasourceId = '', more: Partial<Change> = {}): Promise<Change> {
    return { datasourceId, runId: await getRunId(datasourceId), sequence: 9_999, at: AT, status: 'synched', ...more };
  }

  /** Enqueues status changes as one job, and waits until the gateway has handled the job. */
  async function enqueueChanges(...changes: readonly Change[]): Promise<void> {
    await used.test.queues.createProducer(datasourceStatusQueue).add('statuses-changed', { changes });
    await used.test.queues.runAllJobs();
  }

  const warnings: string[] = [];
  const log = { ...silentLog, warn: (_fields: object, message: string) => void warnings.push(message) };
  const recordChanges = async (...changes: readonly Change[]): Promise<void> =>
    handleStatusesChanged(used.test.gateway, changes, { log });

  async function listStatuses(ids: readonly string[] = files): Promise<readonly unknown[]> {
    const rows = await getDatabase()
      .select()
      .from(datasources)
      .where(inArray(datasources.id, [...ids]));
    return ids.map((id) => rows.find((row) => row.id === id)?.status);
  }

  describe('several status changes in one job', () => {
    it('status changes of one job are written in one transaction, each with its own values', async () => {
      const [a, b, c] = files;
      const site = await createSite(used.tenant.api, used.datastore);
      await enqueueChanges(
        await createChange(a, { fragments: 3, storedTokens: 120 }),
        await createChange(b, { status: 'running', sequence: 1 }),
        await createChange(c, { status: 'error', code: 'file_encrypted', message: 'It is encrypted.' }),
        await createChange(site, { status: 'running', sequence: 1 }),
        await createChange(b, { storedTokens: 7, startedAt: AT }),
      );
      const ids = [...files, site];
      expect(await listStatuses(ids)).toEqual(['synched', 'synched', 'error', 'running']);
      const getDatasource = async (id = ''): Promise<unknown> =>
        (await used.tenant.api.get(`/api/datasources/${id}`)).body;
      expect(await getDatasource(a)).toMatchObject({ error: null, lastSynch: AT, run: { startedAt: AT, endedAt: AT } });
      expect(await getDatasource(c)).toMatchObject({ error: { code: 'file_encrypted', message: 'It is encrypted.' } });
      expect(await getDatasource(site)).toMatchObject({ run: { startedAt: AT, endedAt: null, progress: null } });
      const [run] = await getDatabase()
        .select()
        .from(runs)
        .where(eq(runs.id, await getRunId(b ?? '')));
      expect(run?.timeline.map(({ step }) => step)).toEqual(['pending', 'running', 'synched']);
      expect(await loadStoredTokens(getDatabase(), used.tenant.organizationId)).toBe(127);
      const written = await getDatabase()
        .select({ by: sql<string>`xmin::text` })
        .from(datasources)
        .where(inArray(datasources.id, ids));
      expect(new Set(written.map(({ by }) => by)).size).toBe(1);
    });

    it('status changes of one job can belong to several organizations', async () => {
      const other = await used.test.createTenant();
      const otherFile = await uploadText(other.api, await createDatastore(other.api));
      await enqueueChanges(
        await createChange(files[0], { storedTokens: 5 }),
        await createChange(otherFile, { storedTokens: 6 }),
      );
      expect(await listStatuses([files[0] ?? '', otherFile])).toEqual(['synched', 'synched']);
      expect(await loadStoredTokens(getDatabase(), used.tenant.organizationId)).toBe(5);
      expect(await loadStoredTokens(getDatabase(), other.organizationId)).toBe(6);
    });

    it('a repeated status change has no effect, whether its job contains other status changes or not', async () => {
      const [a, b, c] = await Promise.all(files.map(async (id) => createChange(id, { storedTokens: 10 })));
      if (a === undefined || b === undefined || c === undefined) throw new Error('expected three uploaded files');
      await recordChanges(a, b);
      const before = await getDatabase().select().from(datasources).where(eq(datasources.id, a.datasourceId));
      await recordChanges({ ...a, sequence: 10_000, status: 'error', storedTokens: 99 }, b, c);
      await recordChanges(a);
      expect(await listStatuses()).toEqual(['synched', 'synched', 'synched']);
      expect(await getDatabase().select().from(datasources).where(eq(datasources.id, a.datasourceId))).toEqual(before);
      expect(await loadStoredTokens(getDatabase(), used.tenant.organizationId)).toBe(30);
    });

    it('a status change that cannot be written does not block the other status changes of its job, and succeeds on retry', async () => {
      const [a, b, c] = files;
      const broken = await createChange(b);
      const [run] = await getDatabase().select().from(runs).where(eq(runs.id, broken.runId));
      if (run === undefined) throw new Error('expected a run of the file');
      await getDatabase().delete(runs).where(eq(runs.id, broken.runId));
      const all = [await createChange(a), broken, await createChange(c)];
      await expect(recordChanges(...all)).rejects.toThrow(
        `expected a row of run ${broken.runId} of datasource ${b ?? ''}, found none`,
      );
      expect(await listStatuses()).toEqual(['synched', 'pending', 'synched']);
      expect(warnings).toEqual(['failed to record events in one transaction; each is recorded in its own transaction']);
      const { generation, ...written } = run;
      expect(generation).toBeGreaterThan(0);
      await getDatabase().insert(runs).values(written);
      await recordChanges(...all);
      expect(await listStatuses()).toEqual(['synched', 'synched', 'synched']);
    });

    it('status changes of removed or unknown datasources do not block the other status changes of the job', async () => {
      const [a, b] = files;
      const removed = await createChange(b);
      await used.tenant.api.delete(`/api/datasources/${removed.datasourceId}`);
      await enqueueChanges(
        removed,
        { ...removed, datasourceId: newId() },
        { ...removed, datasourceId: 'no id' },
        await createChange(a),
      );
      expect(await listStatuses([a ?? ''])).toEqual(['synched']);
      expect(used.test.queues.listFailures(datasourceStatusQueue)).toEqual([]);
    });

    it('a status change whose row is locked by another transaction does not block the other status changes of its job', async () => {
      const [a, b, c] = files;
      const all = [await createChange(a), await createChange(b), await createChange(c)];
      let recording: Promise<void> | undefined;
      await getDatabase().transaction(async (tx) => {
        await tx
          .select()
          .from(datasources)
          .where(eq(datasources.id, b ?? ''))
          .for('update');
        recording = recordChanges(...all);
        await expect.poll(async () => listStatuses(), { timeout: 10_000 }).toEqual(['synched', 'pending', 'synched']);
      });
      await recording;
      expect(await listStatuses()).toEqual(['synched', 'synched', 'synched']);
    });
  });
});
