import { randomUUID } from 'node:crypto';
import {
  TryLater,
  type DocumentOutcome,
  type DocumentOutcomeFound,
  type DocumentToIndex,
  type IndexDocument,
  type RecordDocumentsRequest,
  type RecordDocumentsResponse,
  type RunGateway,
  type RunRef,
  type RunState,
} from '@quarry/contracts';
import type { RunGatewayUnderTest } from './describe-run-gateway.js';

interface MemoryRun {
  readonly id: string;
  isEnded: boolean;
  checkpoint: Readonly<Record<string, unknown>> | undefined;
  /** Maps the keys of recorded documents that have no outcome yet to these documents. */
  readonly underWay: Map<string, DocumentToIndex>;
  /** Maps the key of each document that the run has recorded to the document's version. */
  readonly recorded: Map<string, string | undefined>;
  readonly toIndex: DocumentToIndex[];
  readonly settled: DocumentOutcomeFound[];
  /** Maps the keys of documents that were enqueued with `enqueueDocument` to their jobs. */
  readonly enqueued: Map<string, IndexDocument>;
}

interface MemoryDatasource {
  /** Lists the runs of the datasource in the order of their starts. Only the last run can be wanted. */
  readonly runs: MemoryRun[];
  /** Maps the keys of the datasource's documents to the versions that are indexed. */
  readonly versions: Map<string, string | undefined>;
  /** Maps the keys of documents whose latest version is invalid to that version. */
  readonly invalid: Map<string, string>;
}

/**
 * Simulates the gateway in the tests of workers. A test can cancel, supersede and remove runs at any time, as users can
 * in the gateway. The documents that a cancelled or superseded run has recorded can still be read.
 */
export interface InMemoryRunGateway extends RunGatewayUnderTest {
  /** While true, every method of `gateway` throws `TryLater`, as the HTTP client does. */
  isUnavailable: boolean;
  /** Called at the start of each method of `gateway`. A test can throw an error in it. */
  onCall: (method: keyof RunGateway) => void;
  /**
   * Called after a method of `gateway` has taken effect and before the method returns. A test can throw an error in it,
   * to simulate a broken connection.
   */
  onReturn: (method: keyof RunGateway) => void;
  /**
   * Starts a run with the given ids, and supersedes the current run of the datasource. Has no effect if the run exists.
   */
  addRun(run: RunRef): void;
  /** Removes the versions of those documents of a datasource that are not in `keys`, as the end of a full sync does. */
  removeOtherDocuments(datasourceId: string, keys: ReadonlySet<string>): void;
  /** Returns the documents of a run in the order in which they were first recorded. */
  getRecordedDocuments(run: RunRef): RecordedDocuments;
}

export interface RecordedDocuments {
  readonly toIndex: readonly DocumentToIndex[];
  readonly settled: readonly DocumentOutcomeFound[];
  readonly enqueued: readonly IndexDocument[];
}

export function createInMemoryRunGateway(): InMemoryRunGateway {
  const datasources = new Map<string, MemoryDatasource>();
  const getRun = ({ datasourceId, runId }: RunRef): MemoryRun | undefined =>
    datasources.get(datasourceId)?.runs.find(({ id }) => id === runId);
  const requireRun = (run: RunRef): MemoryRun => {
    const found = getRun(run);
    if (found === undefined) throw new Error(`expected run ${run.runId} to exist, found none`);
    return found;
  };
  const getRunState = (run: RunRef): RunState => {
    if (!datasources.has(run.datasourceId)) return 'removed';
    return getRun(run)?.isEnded === false ? 'wanted' : 'cancelled';
  };
  const recordRequest = (request: RecordDocumentsRequest): RecordDocumentsResponse => {
    const state = getRunState(request);
    if (state !== 'wanted') return { state, deferred: [], documents: 0 };
    const run = requireRun(request);
    const deferred: string[] = [];
    for (const document of request.toIndex) {
      const { documentKey, version } = document;
      if (run.recorded.has(documentKey)) {
        if (run.recorded.get(documentKey) !== version) deferred.push(documentKey);
        continue;
      }
      run.recorded.set(documentKey, version);
      run.underWay.set(documentKey, document);
      run.toIndex.push(document);
    }
    for (const document of request.settled) {
      const { documentKey, outcome, version } = document;
      if (run.recorded.has(documentKey)) {
        if (outcome === 'failed' && run.recorded.get(documentKey) !== version) deferred.push(documentKey);
        continue;
      }
      const isUnchanged = outcome === 'unchanged';
      run.recorded.set(documentKey, isUnchanged ? getVersion(request.datasourceId, documentKey) : version);
      run.settled.push(document);
      setInvalidVersion(request.datasourceId, documentKey, isInvalid(document) ? version : undefined);
    }
    run.checkpoint = request.checkpoint ?? run.checkpoint;
    return { state, deferred, documents: run.recorded.size };
  };
  const enqueueDocument = (job: IndexDocument): RunState => {
    const state = getRunState(job);
    if (state !== 'wanted') return state;
    const { enqueued } = requireRun(job);
    if (!enqueued.has(job.documentKey)) enqueued.set(job.documentKey, job);
    return state;
  };
  const getVersion = (datasourceId: string, key: string): string | undefined =>
    datasources.get(datasourceId)?.versions.get(key);
  const setInvalidVersion = (datasourceId: string, key: string, version: string | undefined): void => {
    const invalid = datasources.get(datasourceId)?.invalid;
    if (version === undefined) invalid?.delete(key);
    else invalid?.set(key, version);
  };

  /** Starts a run, unless it exists. @returns the number of runs of the datasource so far */
  const addRun = ({ datasourceId, runId }: RunRef): number => {
    const noVersions = { versions: new Map<string, string | undefined>(), invalid: new Map<string, string>() };
    const datasource = datasources.get(datasourceId) ?? { runs: [], ...noVersions };
    datasources.set(datasourceId, datasource);
    if (datasource.runs.some(({ id }) => id === runId)) return datasource.runs.length;
    for (const earlier of datasource.runs) endRun(earlier);
    const maps = { underWay: new Map<string, DocumentToIndex>(), recorded: new Map<string, string | undefined>() };
    const enqueued = new Map<string, IndexDocument>();
    datasource.runs.push({
      id: runId,
      isEnded: false,
      checkpoint: undefined,
      ...maps,
      toIndex: [],
      settled: [],
      enqueued,
    });
    return datasource.runs.length;
  };

  const double: InMemoryRunGateway = {
    isUnavailable: false,
    onCall: () => undefined,
    onReturn: () => undefined,
    gateway: {
      readRunStates: (runs) => simulateCall('readRunStates', () => runs.map(getRunState)),
      openRun: (run) =>
        simulateCall('openRun', () => {
          const checkpoint = getRun(run)?.checkpoint;
          return { state: getRunState(run), ...(checkpoint && { checkpoint }) };
        }),
      readIndexedVersions: ({ datasourceId, documentKeys, includeInvalid = false }) =>
        simulateCall('readIndexedVersions', () => {
          const invalid = includeInvalid ? datasources.get(datasourceId)?.invalid : undefined;
          return documentKeys.map((key) => invalid?.get(key) ?? getVersion(datasourceId, key) ?? null);
        }),
      recordDocuments: (request) => simulateCall('recordDocuments', () => recordRequest(request)),
      enqueueDocument: (job) => simulateCall('enqueueDocument', () => enqueueDocument(job)),
    },
    addRun: (run) => {
      addRun(run);
    },
    startRun: async (datasourceId = randomUUID()) => {
      const run = { datasourceId, runId: randomUUID() };
      return { ...run, generation: addRun(run) };
    },
    endRun: async (run) => {
      endRun(requireRun(run));
    },
    removeOtherDocuments: (datasourceId, keys) => {
      const { versions, invalid } = datasources.get(datasourceId) ?? {};
      for (const stored of [versions, invalid])
        for (const key of stored?.keys() ?? []) if (!keys.has(key)) stored?.delete(key);
    },
    removeDatasource: async ({ datasourceId }) => {
      datasources.delete(datasourceId);
    },
    settleDocument: async (ref, documentKey, outcome) => {
      const run = requireRun(ref);
      const document = run.underWay.get(documentKey);
      if (document === undefined)
        throw new Error(`expected document ${documentKey} to be recorded and not settled, found no such document`);
      run.underWay.delete(documentKey);
      setInvalidVersion(ref.datasourceId, documentKey, undefined);
      if (isIndexed(outcome)) datasources.get(ref.datasourceId)?.versions.set(documentKey, document.version);
    },
    listEnqueuedDocuments: async (run) => [...(getRun(run)?.enqueued.values() ?? [])],
    listUnsettledDocuments: async (run) => [...(getRun(run)?.underWay.values() ?? [])],
    getRecordedDocuments: (run) => {
      const { toIndex = [], settled = [], enqueued = new Map<string, IndexDocument>() } = getRun(run) ?? {};
      return { toIndex, settled, enqueued: [...enqueued.values()] };
    },
  };

  async function simulateCall<Answer>(method: keyof RunGateway, compute: () => Answer): Promise<Answer> {
    if (double.isUnavailable) throw new TryLater(0, 'the gateway did not respond');
    double.onCall(method);
    const answer = compute();
    double.onReturn(method);
    return answer;
  }
  return double;
}

/** Ends a run, and removes all documents from its `underWay`. */
function endRun(run: MemoryRun): void {
  run.isEnded = true;
  run.underWay.clear();
}

function isInvalid({ outcome, code }: DocumentOutcomeFound): boolean {
  return outcome === 'failed' && code === 'item_invalid';
}

function isIndexed(outcome: DocumentOutcome): boolean {
  return outcome === 'indexed' || outcome === 'unchanged';
}
