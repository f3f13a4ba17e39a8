import {
  StatusChanged,
  type DatasourceStatusJobs,
  type DocumentRetrying,
  type DocumentSettled,
  type RemovalDone,
  type RunEnumerated,
  type RunProgressed,
  type RunRetrying,
} from '@quarry/contracts';
import { Batcher, type Admission } from '@quarry/batching';
import { compileShapeCheck } from '@quarry/validation';

/** Describes the method of the status queue's producer by which the emitter adds jobs. */
export interface EventProducer {
  add<Name extends keyof DatasourceStatusJobs>(name: Name, payload: DatasourceStatusJobs[Name]): Promise<unknown>;
}

/**
 * Emits events about runs to the gateway, through the status queue. Each method resolves when the queue has stored the
 * event, and throws the errors of the producer.
 */
export interface StatusEmitter {
  /** Emits a change of the status of a run. Changes that are emitted within 20 ms are added to the queue as one job. */
  emitStatusChange(change: StatusChanged): Promise<void>;
  emitProgress(progress: RunProgressed): Promise<void>;
  emitRetry(retry: RunRetrying): Promise<void>;
  emitDocumentSettled(document: DocumentSettled): Promise<void>;
  emitDocumentRetry(retry: DocumentRetrying): Promise<void>;
  emitEnumeration(end: RunEnumerated): Promise<void>;
  emitRemovalDone(removal: RemovalDone): Promise<void>;
}

/**
 * Milliseconds for which a status change waits for further changes. The documents of one commit in the fragment store
 * change their status within a few milliseconds, so that one job can contain all these changes.
 */
const LINGER_MS = 20;
const MAX_BATCH = 100;

const isWellFormed = compileShapeCheck(StatusChanged, 'refuse');

/** Creates an emitter that adds the events of a worker to the status queue. */
export function createStatusEmitter(producer: EventProducer): StatusEmitter {
  const enqueueSingleChange = async (change: StatusChanged): Promise<void> => {
    await producer.add('status-changed', change);
  };
  const changes = new Batcher<StatusChanged>({
    commit: async (batch) => {
      const [first] = batch;
      if (batch.length === 1 && first !== undefined) await enqueueSingleChange(first);
      else await producer.add('statuses-changed', { changes: batch });
    },
    createAdmission: createCountAdmission(MAX_BATCH),
    lingerMs: LINGER_MS,
  });
  return {
    // A malformed change is added in a job of its own, because the queue would reject a whole batch that contains it.
    emitStatusChange: async (change) => (isWellFormed(change) ? changes.addWrite(change) : enqueueSingleChange(change)),
    emitProgress: async (progress) => {
      await producer.add('run-progressed', progress);
    },
    emitRetry: async (retry) => {
      await producer.add('run-retrying', retry);
    },
    emitDocumentSettled: async (document) => {
      await producer.add('document-settled', document);
    },
    emitDocumentRetry: async (retry) => {
      await producer.add('document-retrying', retry);
    },
    emitRemovalDone: async (removal) => {
      await producer.add('removal-done', removal);
    },
    emitEnumeration: async (end) => {
      await producer.add('run-enumerated', end);
    },
  };
}

/**
 * Limits the number of changes in a batch. Each call of the returned function creates the check for one batch. The
 * check returns true for a change that still fits into the batch.
 */
function createCountAdmission(limit: number): () => Admission<unknown> {
  return () => {
    let count = 0;
    return () => (count += 1) <= limit;
  };
}
