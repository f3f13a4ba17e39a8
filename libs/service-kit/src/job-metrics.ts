import { Gauge, Histogram } from 'prom-client';
import type { Metrics } from './metrics.js';

/** Describes one start of a job, as the queues report it. */
export interface MeasuredJobRun {
  readonly queue: string;
  readonly job: string;
  readonly outcome: string;
  readonly seconds: number;
}

/** Receives the beginning and the end of each start of a job from the queues, and measures them. */
export interface JobMeasures {
  recordStart(start: Pick<MeasuredJobRun, 'queue' | 'job'>): void;
  recordEnd(run: MeasuredJobRun): void;
}

export function createJobMeasures(metrics: Metrics): JobMeasures {
  const running = new Gauge({
    name: 'quarry_jobs_running',
    help: 'Jobs that this process is running.',
    labelNames: ['queue', 'job'],
    registers: [metrics.registry],
  });
  const duration = new Histogram({
    name: 'quarry_job_duration_seconds',
    help: 'Seconds that a job ran, by outcome: done, failed, retry, later, hand-back.',
    labelNames: ['queue', 'job', 'outcome'],
    buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 900, 3_600],
    registers: [metrics.registry],
  });
  return {
    recordStart: ({ queue, job }) => {
      running.inc({ queue, job });
    },
    recordEnd: ({ queue, job, outcome, seconds }) => {
      running.dec({ queue, job });
      duration.observe({ queue, job, outcome }, seconds);
    },
  };
}
