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
import { compileCheck } from '@quarry/validation';

/** Describes the methods of the status queue's producer that are used here. */
export interface EventProducer {
  add<Name extends keyof DatasourceStatusJobs>(name: Name, payload: DatasourceStatusJobs[Name]): Promise<unknown>;
}

/** Emits events to the gateway. Each method resolves when the queue has stored the event, and throws as the producer does. */
export interface StatusEmitter {
  /** Emits changes that come within 20 ms of each other as one job. */
  emitStatusChange(change: StatusChanged): Promise<void>;
  emitProgress(progress: RunProgressed): Promise<void>;
  emitRetry(retry: RunRetrying): Promise<void>;
  emitDocumentSettled(document: DocumentSettled): Promise<void>;
  emitDocumentRetry(retry: DocumentRetrying): Promise<void>;
  emitEnumeration(end: RunEnumerated): Promise<void>;
  emitRemovalDone(removal: RemovalDone): Promise<void>;
}

/** Linger in milliseconds: documents of one commit in the fragment store are reported within a few milliseconds of each other. */
const LINGER_MS = 20;
const MAX_BATCH = 100;

const isWellFormed = compileCheck(StatusChanged, 'refuse');

/** Creates the emitter of the events of a worker. */
export function openStatusEmitter(producer: EventProducer): StatusEmitter {
  const addSingleChange = async (change: StatusChanged): Promise<void> => {
    await producer.add('status-changed', change);
  };
  const changes = new Batcher<StatusChanged>({
    commit: async (batch) => {
      const [first] = batch;
      if (batch.length === 1 && first !== undefined) await addSingleChange(first);
      else await producer.add('statuses-changed', { changes: batch });
    },
    createBatch: limitTo(MAX_BATCH),
    lingerMs: LINGER_MS,
  });
  return {
    // The queue rejects a whole job because of one malformed change.
    emitStatusChange: async (change) => (isWellFormed(change) ? changes.addWrite(change) : addSingleChange(change)),
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

function limitTo(limit: number): () => Admission<unknown> {
  return () => {
    let count = 0;
    return () => (count += 1) <= limit;
  };
}
