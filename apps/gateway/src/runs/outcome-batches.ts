import { Batcher } from '@quarry/batching';
import type { DocumentSettled } from '@quarry/contracts';
import type { Queries } from '../database/database.js';
import { type DocumentRecorded, recordDocument, recordOutcomes } from './record-document.js';

/** Records outcomes of documents. Concurrent events of one run share a transaction, instead of waiting for the datasource's lock. */
export interface OutcomeRecorder {
  /** Resolves when the outcome is committed. */
  record(settled: DocumentSettled): Promise<DocumentRecorded>;
}

interface Waiting {
  readonly settled: DocumentSettled;
  recorded?: DocumentRecorded | undefined;
}

interface RunBatches {
  readonly batcher: Batcher<Waiting>;
  /** Number of events that are not committed. */
  waiting: number;
}

/** Maximum number of outcomes per transaction, which bounds the time for which it holds the datasource's lock. */
const MAX_BATCH = 100;

/** Creates a recorder. Outcomes are recorded one by one when their common transaction fails, so that one fails alone. */
export function createOutcomeRecorder({
  db,
  clock,
}: {
  readonly db: Queries;
  readonly clock: () => Date;
}): OutcomeRecorder {
  const runs = new Map<string, RunBatches>();
  const commit = async (batch: readonly Waiting[]): Promise<void> => {
    const recorded = await recordOutcomes(
      db,
      batch.map(({ settled }) => settled),
      clock(),
    );
    for (const [at, one] of batch.entries()) one.recorded = recorded[at];
  };
  const openBatches = (runId: string): RunBatches => {
    const opened = runs.get(runId) ?? {
      batcher: new Batcher({ commit, createBatch: limitBatch, lingerMs: 0 }),
      waiting: 0,
    };
    runs.set(runId, opened);
    return opened;
  };
  return {
    record: async (settled) => {
      const key = `${settled.datasourceId} ${settled.runId}`;
      const ofRun = openBatches(key);
      const one: Waiting = { settled };
      ofRun.waiting += 1;
      try {
        await ofRun.batcher.addWrite(one);
      } catch {
        return await recordDocument(db, settled, clock());
      } finally {
        ofRun.waiting -= 1;
        if (ofRun.waiting === 0) runs.delete(key);
      }
      if (one.recorded === undefined) throw new Error('expected the result of a recorded outcome, found none');
      return one.recorded;
    },
  };
}

function limitBatch(): () => boolean {
  let count = 0;
  return () => (count += 1) <= MAX_BATCH;
}
