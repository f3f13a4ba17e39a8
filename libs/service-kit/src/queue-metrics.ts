import { Gauge } from 'prom-client';
import { createMetricsRead } from './metrics-read.js';
import type { Metrics } from './metrics.js';

/** Describes a queue that is measured for the metrics. */
export interface MeasuredQueue {
  readonly name: string;
  readonly countJobs: () => Promise<object>;
  /** Returns the time at which the job that starts next was added. Returns undefined if no job is waiting. */
  readonly findNextJobTime: () => Promise<Date | undefined>;
}

/** Contains the measured values of one queue. */
interface QueueValues {
  readonly name: string;
  readonly jobs: object;
  readonly nextJobAt: Date | undefined;
}

/**
 * Adds metrics of each queue: the number of jobs by state, and the age of the job that starts next. Each request for
 * the metrics reads the queues. A queue that fails or does not respond has no values.
 */
export function registerQueueMetrics({ registry }: Metrics, queues: readonly MeasuredQueue[]): void {
  const reads = queues.map((queue) => createMetricsRead(async () => readQueueValues(queue)));
  const readQueues = async (): Promise<readonly QueueValues[]> => {
    const values = await Promise.all(reads.map(async (read) => read()));
    return values.filter((each) => each !== undefined);
  };
  const jobs = new Gauge({
    name: 'quarry_queue_jobs',
    help: 'Jobs of a queue by state: waiting, delayed, active, failed, completed. Finished jobs are retained for a limited time.',
    labelNames: ['queue', 'state'],
    registers: [registry],
    collect: async () => {
      const measured = await readQueues();
      jobs.reset();
      for (const { name: queue, jobs: counts } of measured)
        for (const [state, count] of Object.entries(counts)) jobs.set({ queue, state }, Number(count));
    },
  });
  const oldest = new Gauge({
    name: 'quarry_queue_oldest_job_seconds',
    help: 'Seconds that the next job of a queue has waited; 0 when no job is waiting.',
    labelNames: ['queue'],
    registers: [registry],
    collect: async () => {
      const measured = await readQueues();
      oldest.reset();
      for (const { name: queue, nextJobAt } of measured)
        oldest.set({ queue }, nextJobAt === undefined ? 0 : (Date.now() - nextJobAt.getTime()) / 1_000);
    },
  });
}

async function readQueueValues({ name, countJobs, findNextJobTime }: MeasuredQueue): Promise<QueueValues> {
  const [jobs, nextJobAt] = await Promise.all([countJobs(), findNextJobTime()]);
  return { name, jobs, nextJobAt };
}
