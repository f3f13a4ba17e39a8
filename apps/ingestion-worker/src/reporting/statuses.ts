import { StatusChanged, type DatasourceStatusJobs, type DocumentSettled, type RunProgressed } from '@quarry/contracts';
import { GroupCommit, type Admission } from '@quarry/group-commit';
import type { Producer } from '@quarry/queue-bullmq';
import { checkOf } from '@quarry/validation';

/** What the gateway is told. Each resolves when the queue has it. @throws as `Producer.add` */
export interface Statuses {
  /** What is told at much the same time travels together. */
  changed(change: StatusChanged): Promise<void>;
  progressed(progress: RunProgressed): Promise<void>;
  documentSettled(document: DocumentSettled): Promise<void>;
}

/** What was committed together in the fragment store comes here within a few milliseconds. */
const WAIT_MS = 20;
const MOST_TOGETHER = 100;

const isWellFormed = checkOf(StatusChanged, 'refuse');

export function openStatuses(producer: Producer<DatasourceStatusJobs>): Statuses {
  const changedAlone = async (change: StatusChanged): Promise<void> => {
    await producer.add('status-changed', change);
  };
  const changes = new GroupCommit<StatusChanged>({
    commit: async (batch) => {
      const [first] = batch;
      if (batch.length === 1 && first !== undefined) await changedAlone(first);
      else await producer.add('statuses-changed', { changes: batch });
    },
    newBatch: atMost(MOST_TOGETHER),
    waitMs: WAIT_MS,
  });
  return {
    // What the queue would refuse is not to take others with it.
    changed: async (change) => (isWellFormed(change) ? changes.add(change) : changedAlone(change)),
    progressed: async (progress) => {
      await producer.add('run-progressed', progress);
    },
    documentSettled: async (document) => {
      await producer.add('document-settled', document);
    },
  };
}

function atMost(most: number): () => Admission<unknown> {
  return () => {
    let count = 0;
    return () => (count += 1) <= most;
  };
}
