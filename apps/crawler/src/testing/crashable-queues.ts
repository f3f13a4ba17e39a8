import type { Queues } from '@quarry/queue';
import type { CrashableProcess } from '@quarry/run-reporting/testing';

/** Returns queues whose jobs a process adds. */
export function crashableQueues<Kind extends Queues>(process: CrashableProcess, queues: Kind): Kind {
  return {
    ...queues,
    producer: (contract: Parameters<Queues['producer']>[0]) =>
      process.wrap(queues.producer(contract), { writes: ['add', 'addAll'] }),
  };
}
