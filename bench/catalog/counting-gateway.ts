import { RecordDocumentsRequest, type RunGateway } from '@quarry/contracts';
import { parse } from '@quarry/validation';

/**
 * A gateway that holds what it is sent to its contract, counts the documents, and keeps their versions as if each were indexed at
 * once: a database, and the requests to it, are not what is measured.
 */
export interface CountingGateway extends RunGateway {
  /** Returns how many documents were recorded to be indexed since the last call. */
  takeCount(): number;
}

export function countingGateway(): CountingGateway {
  const versions = new Map<string, string>();
  let recorded = new Set<string>();
  let runId = '';
  let toIndex = 0;
  return {
    runStates: (runs) => Promise.resolve(runs.map(() => 'wanted')),
    openRun: (run) => {
      if (run.runId !== runId) recorded = new Set();
      ({ runId } = run);
      return Promise.resolve({ state: 'wanted' });
    },
    indexedVersions: ({ documentKeys }) => Promise.resolve(documentKeys.map((key) => versions.get(key) ?? null)),
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
    takeCount: () => {
      const count = toIndex;
      toIndex = 0;
      return count;
    },
  };
}
