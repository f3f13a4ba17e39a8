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

/** Describes the method of the status queue's producer that the emitter uses. */
export interface EventProducer {
  add<Name extends keyof DatasourceStatusJobs>(name: Name, payload: DatasourceStatusJobs[Name]): Promise<unknown>;
}

/**
 * Emits events to the gateway. Each method resolves when the queue has stored the event, and throws the errors of the
 * producer.
 */
export interface StatusEmitter {
  /** Emits a change of the status of a run. Concurrent changes within 20 ms are emitted in one job. */
  emitStatusChange(change: StatusChanged): Promise<void>;
  emitProgress(progress: RunProgressed): Promise<void>;
  emitRetry(retry: RunRetrying): Promise<void>;
  emitDocumentSettled(document: DocumentSettled): Promise<void>;
  emitDocumentRetry(retry: DocumentRetrying): Promise<void>;
  emitEnumeration(end: RunEnumerated): Promise<void>;
  emitRemovalDone(removal: RemovalDone): Promise<void>;
}

/**
 * Milliseconds for which a change waits for further changes. The documents of one commit in the fragment store change
 * their status within a few milliseconds.
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

/** Limits the number of changes in a batch. The returned function creates the admission of one batch. */
function createCountAdmission(limit: number): () => Admission<unknown> {
  return () => {
    let count = 0;
    return () => (count += 1) <= limit;
  };
}
