import { Gauge } from 'prom-client';
import type { Metrics } from './metrics.js';

/** Describes the jobs of one class that wait for a place in their queue. */
export interface MeasuredBacklog {
  readonly queue: string;
  readonly class: string;
  readonly jobs: number;
  readonly organizations: number;
  /** Time since the oldest job was written, in seconds. */
  readonly oldestSeconds: number;
}

const LABELS = ['queue', 'class'] as const;

/** Exports the jobs that wait for a place in their queue. They are read when the metrics are. */
export function measureBacklog(metrics: Metrics, read: () => Promise<readonly MeasuredBacklog[]>): void {
  const { registry } = metrics;
  const organizations = new Gauge({
    name: 'quarry_backlog_organizations',
    help: 'Organizations with jobs that wait for a place in their queue.',
    labelNames: LABELS,
    registers: [registry],
  });
  const oldest = new Gauge({
    name: 'quarry_backlog_oldest_seconds',
    help: 'Time that the oldest job has waited for a place in its queue.',
    labelNames: LABELS,
    registers: [registry],
  });
  const jobs = new Gauge({
    name: 'quarry_backlog_jobs',
    help: 'Jobs that wait for a place in their queue.',
    labelNames: LABELS,
    registers: [registry],
    collect: async () => {
      // A missing value is better than an outdated one.
      for (const gauge of [jobs, organizations, oldest]) gauge.reset();
      const rows = await read().catch(() => []);
      for (const { queue, class: jobClass, ...measured } of rows) {
        const labels = { queue, class: jobClass };
        jobs.set(labels, measured.jobs);
        organizations.set(labels, measured.organizations);
        oldest.set(labels, measured.oldestSeconds);
      }
    },
  });
}
