import type { JobPayloads, QueueContract } from '@quarry/contracts';
import { jobMaker, type Handlers, type JobContext, type Queues } from '@quarry/queue-bullmq';
import { memoryPacing } from '@quarry/queue-bullmq/testing';
import { createLog } from '@quarry/service-kit';

/**
 * Queues that hold a job to its contract as all do, and then only count it: a server of queues, and its memory, is not what is
 * measured.
 */
export interface CountingQueues extends Queues {
  run<Jobs extends JobPayloads, Name extends keyof Jobs & string>(
    contract: QueueContract<Jobs>,
    name: Name,
    payload: Jobs[Name],
  ): Promise<void>;
  counted(): { readonly handedOver: number; readonly documents: number };
  forget(): void;
}

export function countingQueues(): CountingQueues {
  let handedOver = 0;
  let documents = 0;
  const taken = new Map<string, unknown>();
  const count = (name: string, payload: object): void => {
    if (name === 'index-document') handedOver += 1;
    if (name === 'run-enumerated' && 'documents' in payload) documents = Number(payload.documents);
  };
  return {
    pacing: memoryPacing(Date.now),
    producer: (contract) => {
      const makeJob = jobMaker(contract);
      const keep: typeof makeJob = (name, payload) => {
        count(name, payload);
        return makeJob(name, payload);
      };
      return {
        add: (name, payload) => Promise.resolve(keep(name, payload).id),
        addAll: (jobs) => Promise.resolve(jobs.map(({ name, payload }) => keep(name, payload).id)),
      };
    },
    consumer: (contract, handlers) => {
      taken.set(contract.name, handlers);
      return { close: () => Promise.resolve() };
    },
    run: async (contract, name, payload) => {
      const handlers = taken.get(contract.name) as Handlers<JobPayloadsOf<typeof contract>>; // as they were given for this queue
      await handlers[name](payload, CONTEXT);
    },
    counted: () => ({ handedOver, documents }),
    forget: () => {
      handedOver = 0;
      documents = 0;
    },
    depth: () => Promise.resolve({ waiting: 0, delayed: 0, active: 0, completed: 0, failed: 0 }),
    waitingSince: () => Promise.resolve(undefined),
    find: () => Promise.resolve(undefined),
    ping: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
}

const CONTEXT: JobContext = {
  ...{ id: 'bench', attempt: 1, starts: 1, lastAttempt: false },
  signal: new AbortController().signal,
  log: createLog('catalog', 'silent'),
};

type JobPayloadsOf<Contract> = Contract extends QueueContract<infer Jobs> ? Jobs : never;
