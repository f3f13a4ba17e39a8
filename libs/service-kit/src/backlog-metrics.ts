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
export function measureBacklog({ registry }: Metrics, read: () => Promise<readonly MeasuredBacklog[]>): void {
  let reading: Promise<readonly MeasuredBacklog[]> | undefined;
  const readOnce = (): Promise<readonly MeasuredBacklog[]> => {
    reading ??= read()
      .catch(() => []) // a missing value is better than an outdated one
      .finally(() => (reading = undefined));
    return reading;
  };
  const addGauge = (name: string, help: string, valueOf: (backlog: MeasuredBacklog) => number): void => {
    const gauge: Gauge<(typeof LABELS)[number]> = new Gauge({
      ...{ name, help, labelNames: LABELS, registers: [registry] },
      collect: async () => {
        const rows = await readOnce();
        gauge.reset();
        for (const row of rows) gauge.set({ queue: row.queue, class: row.class }, valueOf(row));
      },
    });
  };
  addGauge('quarry_backlog_jobs', 'Jobs that wait for a place in their queue.', ({ jobs }) => jobs);
  addGauge(
    'quarry_backlog_organizations',
    'Organizations with jobs that wait for a place in their queue.',
    ({ organizations }) => organizations,
  );
  addGauge(
    'quarry_backlog_oldest_seconds',
    'Time that the oldest job has waited for a place in its queue.',
    ({ oldestSeconds }) => oldestSeconds,
  );
}
