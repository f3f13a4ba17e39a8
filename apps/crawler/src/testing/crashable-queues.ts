import type { Queues } from '@quarry/queue';
import type { CrashableProcess } from '@quarry/run-reporting/testing';

/** Wraps queues. Each addition of a job counts as a write of `process`, at which a test can kill the process. */
export function createCrashableQueues<Kind extends Queues>(process: CrashableProcess, queues: Kind): Kind {
  return {
    ...queues,
    createProducer: (contract: Parameters<Queues['createProducer']>[0]) =>
      process.wrapPort(queues.createProducer(contract), { writes: ['add', 'addAll'] }),
  };
}
