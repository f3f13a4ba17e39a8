import { randomUUID } from 'node:crypto';
import type {
  DocumentOutcome,
  DocumentOutcomeFound,
  DocumentToIndex,
  IndexDocument,
  RecordDocumentsRequest,
  RunGateway,
  RunRef,
} from '@quarry/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

export interface StartedRun extends RunRef {
  readonly generation: number;
}

/** Holds a `RunGateway`, and methods that simulate what other parts of the gateway do with runs. */
export interface RunGatewayUnderTest {
  readonly gateway: RunGateway;
  /**
   * Starts a run of a datasource that can contain several documents. The run supersedes the current run of the
   * datasource. Default: a new datasource.
   */
  startRun(datasourceId?: string): Promise<StartedRun>;
  /** Ends a run as if it was cancelled. */
  endRun(run: RunRef): Promise<void>;
  removeDatasource(run: RunRef): Promise<void>;
  /** Reports the outcome of a document that the run has recorded for indexing and that has no outcome yet. */
  settleDocument(run: RunRef, documentKey: string, outcome: DocumentOutcome): Promise<void>;
  /** Returns the documents that the run has recorded for indexing and that have no outcome yet. */
  listUnsettledDocuments(run: RunRef): Promise<readonly DocumentToIndex[]>;
  /** Returns the documents of a run that were enqueued with `enqueueDocument`. */
  listEnqueuedDocuments(run: RunRef): Promise<readonly IndexDocument[]>;
}

const AT = '2026-06-01T12:00:00.000Z';

function createDocument(documentKey: string, version: string): DocumentToIndex {
  return { documentKey, version, name: documentKey, blobKey: `blobs/${documentKey}`, mimeType: 'text/markdown' };
}

function createFailure(documentKey: string, version?: string): DocumentOutcomeFound {
  const failure = { documentKey, outcome: 'failed', code: 'item_invalid', message: 'no title' } as const;
  return version === undefined ? failure : { ...failure, version };
}

/**
 * Asserts the guarantees of `RunGateway`.
 *
 * @param open called once by the suite, which finally calls `close` of the result
 */
export function describeRunGateway(
  name: string,
  open: () => Promise<RunGatewayUnderTest & { close(): Promise<void> }>,
): void {
  describe(name, () => {
    let test: Awaited<ReturnType<typeof open>>;
    beforeAll(async () => {
      test = await open();
    });
    afterAll(() => test.close());

    const recordDocuments = ({ datasourceId, runId }: RunRef, more: Partial<RecordDocumentsRequest>) =>
      test.gateway.recordDocuments({ datasourceId, runId, at: AT, toIndex: [], settled: [], ...more });
    const readVersions = (run: RunRef, ...documentKeys: readonly string[]) =>
      test.gateway.readIndexedVersions({ datasourceId: run.datasourceId, documentKeys });

    it('readRunStates returns `wanted` for a run until the run ends, is superseded, or its datasource is removed', async () => {
      const [ended, superseded, removed, wanted] = [
        await test.startRun(),
        await test.startRun(),
        await test.startRun(),
        await test.startRun(),
      ];
      expect(await test.gateway.readRunStates([ended, superseded, removed, wanted].map(toRunRef))).toEqual(
        Array.from({ length: 4 }, () => 'wanted'),
      );
      await test.endRun(ended);
      const next = await test.startRun(superseded.datasourceId);
      await test.removeDatasource(removed);
      expect(await test.gateway.readRunStates([ended, superseded, removed, wanted, next].map(toRunRef))).toEqual([
        'cancelled',
        'cancelled',
        'removed',
        'wanted',
        'wanted',
      ]);
    });

    it('openRun returns the last checkpoint of a run, but not the checkpoint of an earlier run', async () => {
      const run = await test.startRun();
      expect(await test.gateway.openRun(toRunRef(run))).toEqual({ state: 'wanted' });
      await recordDocuments(run, { checkpoint: { page: 1 } });
      await recordDocuments(run, { checkpoint: { page: 2 } });
      await recordDocuments(run, { toIndex: [createDocument('a', 'a1')] });
      expect(await test.gateway.openRun(toRunRef(run))).toEqual({ state: 'wanted', checkpoint: { page: 2 } });
      const next = await test.startRun(run.datasourceId);
      expect(await test.gateway.openRun(toRunRef(next))).toEqual({ state: 'wanted' });
    });

    it('the gateway records a document of a run once, even if recordDocuments is called repeatedly', async () => {
      const run = await test.startRun();
      const batch = {
        toIndex: [createDocument('a', 'a1'), createDocument('b', 'b1')],
        settled: [{ documentKey: 'c', outcome: 'skipped', code: 'robots_disallowed', message: 'no' }] as const,
      };
      expect(await recordDocuments(run, batch)).toEqual({ state: 'wanted', deferred: [], documents: 3 });
      await test.settleDocument(run, 'a', 'indexed');
      expect(await recordDocuments(run, batch)).toEqual({ state: 'wanted', deferred: [], documents: 3 });
      expect(await test.listUnsettledDocuments(run)).toMatchObject([
        { documentKey: 'b', version: 'b1', blobKey: 'blobs/b' },
      ]);
    });

    it('recordDocuments returns a document in `deferred` if the document has changed since the same run recorded it', async () => {
      const run = await test.startRun();
      await recordDocuments(run, { toIndex: [createDocument('a', 'a1'), createDocument('b', 'b1')] });
      await test.settleDocument(run, 'b', 'indexed');
      expect(
        await recordDocuments(run, { toIndex: [createDocument('a', 'a2'), createDocument('b', 'b2')] }),
      ).toMatchObject({
        deferred: ['a', 'b'],
        documents: 2,
      });
      expect(await test.listUnsettledDocuments(run)).toMatchObject([{ documentKey: 'a', version: 'a1' }]);
    });

    it('recordDocuments returns a failed document in `deferred` if the same run has recorded a version of the document', async () => {
      const first = await test.startRun();
      await recordDocuments(first, { toIndex: [createDocument('a', 'a1'), createDocument('b', 'b1')] });
      await test.settleDocument(first, 'a', 'indexed');
      await test.settleDocument(first, 'b', 'indexed');
      const run = await test.startRun(first.datasourceId);
      await recordDocuments(run, {
        toIndex: [createDocument('c', 'c1')],
        settled: [createFailure('a'), { documentKey: 'b', outcome: 'unchanged' }],
      });
      expect(
        await recordDocuments(run, { settled: ['a', 'b', 'c', 'd'].map((key) => createFailure(key)) }),
      ).toMatchObject({ deferred: ['b', 'c'], documents: 4 });
    });

    it('readIndexedVersions returns only the versions of documents that were indexed', async () => {
      const run = await test.startRun();
      await recordDocuments(run, {
        toIndex: [createDocument('a', 'a1'), createDocument('b', 'b1'), createDocument('c', 'c1')],
      });
      expect(await readVersions(run, 'a', 'b', 'c', 'd')).toEqual([null, null, null, null]);
      await test.settleDocument(run, 'a', 'indexed');
      await test.settleDocument(run, 'b', 'failed');
      await test.endRun(run);
      expect(await readVersions(run, 'd', 'c', 'b', 'a')).toEqual([null, null, null, 'a1']);
    });

    it('readIndexedVersions still returns the version of a document that a later run found unchanged', async () => {
      const first = await test.startRun();
      await recordDocuments(first, { toIndex: [createDocument('a', 'a1')] });
      await test.settleDocument(first, 'a', 'indexed');
      const second = await test.startRun(first.datasourceId);
      expect(await recordDocuments(second, { settled: [{ documentKey: 'a', outcome: 'unchanged' }] })).toMatchObject({
        documents: 1,
      });
      expect(await readVersions(second, 'a')).toEqual(['a1']);
    });

    it('recordDocuments returns an invalid document in `deferred` if the same run has recorded another version of it', async () => {
      const run = await test.startRun();
      const batch = { settled: [createFailure('a', 'a1'), createFailure('b', 'b1')] };
      await recordDocuments(run, batch);
      expect(await recordDocuments(run, batch)).toMatchObject({ deferred: [], documents: 2 });
      expect(
        await recordDocuments(run, { settled: [createFailure('a', 'a2')], toIndex: [createDocument('b', 'b2')] }),
      ).toMatchObject({ deferred: ['b', 'a'], documents: 2 });
    });

    it('readIndexedVersions returns on request also the version of each document whose latest version is invalid', async () => {
      const first = await test.startRun();
      const readAllVersions = (...documentKeys: readonly string[]) =>
        test.gateway.readIndexedVersions({ datasourceId: first.datasourceId, documentKeys, includeInvalid: true });
      await recordDocuments(first, {
        toIndex: [createDocument('a', 'a1'), createDocument('b', 'b1')],
        settled: [createFailure('c', 'c1'), createFailure('d')],
      });
      await test.settleDocument(first, 'a', 'indexed');
      await test.settleDocument(first, 'b', 'failed');
      expect(await readAllVersions('a', 'b', 'c', 'd', 'e')).toEqual(['a1', null, 'c1', null, null]);
      const second = await test.startRun(first.datasourceId);
      await recordDocuments(second, { toIndex: [createDocument('c', 'c2')], settled: [createFailure('a', 'a2')] });
      await test.settleDocument(second, 'c', 'indexed');
      expect(await readAllVersions('a', 'c')).toEqual(['a2', 'c2']);
      expect(await readVersions(second, 'a', 'c')).toEqual(['a1', 'c2']);
    });

    it('enqueueDocument enqueues the only document of a run once, and only while the run is wanted', async () => {
      const { datasourceId, runId, generation } = await test.startRun();
      const job: IndexDocument = {
        ...{ organizationId: randomUUID(), datastoreId: randomUUID(), datasourceId, datasourceType: 'web_page' },
        ...{ runId, generation, splitting: { maxTokens: 512, overlapTokens: 64 } },
        ...{ documentKey: 'page', name: 'Page', blobKey: 'blobs/page', mimeType: 'text/markdown' },
      };
      expect(await test.gateway.enqueueDocument(job)).toBe('wanted');
      expect(await test.gateway.enqueueDocument(job)).toBe('wanted');
      expect(await test.listEnqueuedDocuments({ datasourceId, runId })).toMatchObject([
        { documentKey: 'page', blobKey: 'blobs/page' },
      ]);
      await test.endRun({ datasourceId, runId });
      expect(await test.gateway.enqueueDocument(job)).toBe('cancelled');
      await test.removeDatasource({ datasourceId, runId });
      expect(await test.gateway.enqueueDocument(job)).toBe('removed');
    });

    it('the gateway records nothing for a run that is not wanted', async () => {
      const ended = await test.startRun();
      await recordDocuments(ended, { toIndex: [createDocument('a', 'a1')] });
      await test.endRun(ended);
      expect(await recordDocuments(ended, { toIndex: [createDocument('b', 'b1')] })).toMatchObject({
        state: 'cancelled',
      });
      expect(await test.listUnsettledDocuments(ended)).toEqual([]);
      const removed = await test.startRun();
      await test.removeDatasource(removed);
      expect(await recordDocuments(removed, { toIndex: [createDocument('b', 'b1')] })).toMatchObject({
        state: 'removed',
      });
    });
  });
}

function toRunRef({ datasourceId, runId }: RunRef): RunRef {
  return { datasourceId, runId };
}
