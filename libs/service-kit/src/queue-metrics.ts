import { Gauge } from 'prom-client';
import type { Metrics } from './metrics.js';

/** Describes a queue that is measured for the metrics. */
export interface MeasuredQueue {
  readonly name: string;
  readonly countJobs: () => Promise<object>;
  /** Returns the time at which the job that starts next was added. Returns undefined if no job is waiting. */
  readonly findNextJobTime: () => Promise<Date | undefined>;
}

/**
 * Maximum time in milliseconds for reading all queues. An unavailable queue server must not delay the other metrics
 * longer.
 */
const RESPONSE_TIMEOUT_MS = 2_000;

/**
 * Adds metrics of each queue: the number of jobs by state, and the age of the job that starts next. Each request for
 * the metrics reads the queues.
 */
export function registerQueueMetrics(metrics: Metrics, queues: readonly MeasuredQueue[]): void {
  const jobs = new Gauge({
    name: 'quarry_queue_jobs',
    help: 'Jobs of a queue by state: waiting, delayed, active, failed, completed. Finished jobs are retained for a limited time.',
    labelNames: ['queue', 'state'],
    registers: [metrics.registry],
    collect: () =>
      measureEachQueue(
        queues,
        async ({ name, countJobs }) => {
          for (const [state, count] of Object.entries(await countJobs()))
            jobs.set({ queue: name, state }, Number(count));
        },
        () => {
          jobs.reset();
        },
      ),
  });
  const oldest = new Gauge({
    name: 'quarry_queue_oldest_job_seconds',
    help: 'Seconds that the next job of a queue has waited; 0 when no job is waiting.',
    labelNames: ['queue'],
    registers: [metrics.registry],
    collect: () =>
      measureEachQueue(
        queues,
        async ({ name, findNextJobTime }) => {
          const since = await findNextJobTime();
          oldest.set({ queue: name }, since === undefined ? 0 : (Date.now() - since.getTime()) / 1_000);
        },
        () => {
          oldest.reset();
        },
      ),
  });
}

/**
 * Sets the values of one metric for all queues concurrently. Resolves within `RESPONSE_TIMEOUT_MS`.
 *
 * @param measure sets the value of the metric for one queue
 * @param reset removes the values for all queues before the measurement, because a missing value is better than an
 * outdated one
 */
async function measureEachQueue(
  queues: readonly MeasuredQueue[],
  measure: (queue: MeasuredQueue) => Promise<void>,
  reset: () => void,
): Promise<void> {
  reset();
  const measured = Promise.allSettled(queues.map(measure));
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, RESPONSE_TIMEOUT_MS);
  });
  await Promise.race([measured, timeout]);
  clearTimeout(timer);
}
