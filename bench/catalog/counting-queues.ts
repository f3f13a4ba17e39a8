import type { JobPayloads, QueueContract, RunEnumerated } from '@quarry/contracts';
import { createJobMaker, type Handlers, type JobContext, type Queues } from '@quarry/queue';
import { createMemoryPacing } from '@quarry/queue/testing';
import { createLog } from '@quarry/service-kit';

/**
 * Simulated queues, with which the benchmark does not measure the work of the queue server. They validate each job, and
 * store only the last job `run-enumerated`, with which a sync reports that it has listed all items.
 */
export interface CountingQueues extends Queues {
  run<Jobs extends JobPayloads, Name extends keyof Jobs & string>(
    contract: QueueContract<Jobs>,
    name: Name,
    payload: Jobs[Name],
  ): Promise<void>;
  /** Returns the payload of the last job `run-enumerated`. @throws Error if there was none */
  lastEnumeration(): RunEnumerated;
}

export function createCountingQueues(): CountingQueues {
  let enumeration: RunEnumerated | undefined;
  const registered = new Map<string, unknown>();
  const observeJob = (name: string, payload: object): void => {
    if (name === 'run-enumerated') enumeration = payload as RunEnumerated; // the contract has this name
  };
  return {
    pacing: createMemoryPacing(Date.now),
    createProducer: (contract) => {
      const makeJob = createJobMaker(contract);
      const observeAndMake: typeof makeJob = (name, payload) => {
        observeJob(name, payload);
        return makeJob(name, payload);
      };
      return {
        add: (name, payload) => Promise.resolve(observeAndMake(name, payload).id),
        addAll: (jobs) => Promise.resolve(jobs.map(({ name, payload }) => observeAndMake(name, payload).id)),
      };
    },
    startConsumer: (contract, handlers) => {
      registered.set(contract.name, handlers);
      return { close: () => Promise.resolve() };
    },
    run: async (contract, name, payload) => {
      const handlers = registered.get(contract.name) as Handlers<JobPayloadsOf<typeof contract>>; // as they were given for this queue
      await handlers[name](payload, CONTEXT);
    },
    lastEnumeration: () => {
      if (enumeration === undefined) throw new Error('expected a job `run-enumerated` from the sync, found none');
      return enumeration;
    },
    countJobs: () => Promise.resolve({ waiting: 0, delayed: 0, active: 0, completed: 0, failed: 0 }),
    getCapacity: () => Promise.resolve(0),
    listUnfinished: () => Promise.resolve([]),
    countWaitingBefore: () => Promise.resolve(undefined),
    findNextJobTime: () => Promise.resolve(undefined),
    findJobState: () => Promise.resolve(undefined),
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
