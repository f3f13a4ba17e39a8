import { Histogram } from 'prom-client';
import type { Metrics } from './metrics.js';

/** One start of a job, as the queues tell it. */
export interface MeasuredJobRun {
  readonly queue: string;
  readonly job: string;
  readonly outcome: string;
  readonly seconds: number;
}

/** @returns what the queues tell each run of a job to */
export function measureJobs(metrics: Metrics): (run: MeasuredJobRun) => void {
  const duration = new Histogram({
    name: 'quarry_job_duration_seconds',
    help: 'Seconds that a job ran, by how that ended: done, failed, retry, later, hand-back.',
    labelNames: ['queue', 'job', 'outcome'],
    buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 900, 3_600],
    registers: [metrics.registry],
  });
  return ({ queue, job, outcome, seconds }) => {
    duration.observe({ queue, job, outcome }, seconds);
  };
}
