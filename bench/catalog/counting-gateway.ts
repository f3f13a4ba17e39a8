import { RecordDocumentsRequest, type RunGateway } from '@quarry/contracts';
import { parse } from '@quarry/validation';

/**
 * A simulated gateway, with which the benchmark does not measure the work of the database. It validates requests,
 * counts documents, and stores their versions as if each document was indexed immediately.
 */
export interface CountingGateway extends RunGateway {
  /** Returns the number of documents that were recorded for indexing since the last call of this function. */
  countNewDocuments(): number;
}

export function createCountingGateway(): CountingGateway {
  const versions = new Map<string, string>();
  let recorded = new Set<string>();
  let runId = '';
  let toIndex = 0;
  return {
    readRunStates: (runs) => Promise.resolve(runs.map(() => 'wanted')),
    openRun: (run) => {
      if (run.runId !== runId) recorded = new Set();
      ({ runId } = run);
      return Promise.resolve({ state: 'wanted' });
    },
    readIndexedVersions: ({ documentKeys }) => Promise.resolve(documentKeys.map((key) => versions.get(key) ?? null)),
    recordDocuments: (request) => {
      const documents = parse(RecordDocumentsRequest, request, 'refuse');
      for (const { documentKey, version } of documents.toIndex) {
        if (recorded.has(documentKey)) continue;
        recorded.add(documentKey);
        if (version !== undefined) versions.set(documentKey, version);
        toIndex += 1;
      }
      for (const { documentKey } of documents.settled) recorded.add(documentKey);
      return Promise.resolve({ state: 'wanted', deferred: [], documents: recorded.size });
    },
    enqueueDocument: () => Promise.resolve('wanted'),
    countNewDocuments: () => {
      const count = toIndex;
      toIndex = 0;
      return count;
    },
  };
}
