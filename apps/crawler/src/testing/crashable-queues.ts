import type { Queues } from '@quarry/queue';
import type { CrashableProcess } from '@quarry/run-reporting/testing';

/** Wraps queues, so that each addition of a job counts as a write of a crashable process. */
export function createCrashableQueues<Kind extends Queues>(process: CrashableProcess, queues: Kind): Kind {
  return {
    ...queues,
    producer: (contract: Parameters<Queues['producer']>[0]) =>
      process.wrapPort(queues.producer(contract), { writes: ['add', 'addAll'] }),
  };
}
