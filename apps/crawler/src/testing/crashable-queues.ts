import type { Queues } from '@quarry/queue';
import type { CrashableProcess } from '@quarry/run-reporting/testing';

/** Wraps queues so that adding jobs counts as writes of a crashable process. */
export function crashableQueues<Kind extends Queues>(process: CrashableProcess, queues: Kind): Kind {
  return {
    ...queues,
    producer: (contract: Parameters<Queues['producer']>[0]) =>
      process.wrap(queues.producer(contract), { writes: ['add', 'addAll'] }),
  };
}
