import { Gauge } from 'prom-client';
import type { Metrics } from './metrics.js';

/** A queue that can be asked how it is. */
export interface MeasuredQueue {
  readonly name: string;
  readonly depth: () => Promise<object>;
  /** When the job that is next was added; undefined when none waits. */
  readonly waitingSince: () => Promise<Date | undefined>;
}

/** A server that is away must not keep the other numbers from being read. */
const ANSWER_WITHIN_MS = 2_000;

/** Shows how many jobs each queue holds in each state, and how old the next one is; both are asked when the numbers are read. */
export function measureQueues(metrics: Metrics, queues: readonly MeasuredQueue[]): void {
  const jobs = new Gauge({
    name: 'quarry_queue_jobs',
    help: 'Jobs of a queue by state: waiting, delayed, active, failed, completed. Finished ones are kept for a while.',
    labelNames: ['queue', 'state'],
    registers: [metrics.registry],
    collect: () =>
      askEach(
        queues,
        async ({ name, depth }) => {
          for (const [state, count] of Object.entries(await depth())) jobs.set({ queue: name, state }, Number(count));
        },
        () => {
          jobs.reset();
        },
      ),
  });
  const oldest = new Gauge({
    name: 'quarry_queue_oldest_job_seconds',
    help: 'How long the job has waited that is next; 0 when none waits.',
    labelNames: ['queue'],
    registers: [metrics.registry],
    collect: () =>
      askEach(
        queues,
        async ({ name, waitingSince }) => {
          const since = await waitingSince();
          oldest.set({ queue: name }, since === undefined ? 0 : (Date.now() - since.getTime()) / 1_000);
        },
        () => {
          oldest.reset();
        },
      ),
  });
}

/** @param forget takes back what was known: no number is better than an old one */
async function askEach(
  queues: readonly MeasuredQueue[],
  ask: (queue: MeasuredQueue) => Promise<void>,
  forget: () => void,
): Promise<void> {
  forget();
  const answers = Promise.allSettled(queues.map(ask));
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ANSWER_WITHIN_MS);
  });
  await Promise.race([answers, late]);
  clearTimeout(timer);
}
