import { Gauge } from 'prom-client';
import { createMetricsRead } from './metrics-read.js';
import type { Metrics } from './metrics.js';

/** Describes the jobs of one class that wait in the outbox until their queue has room. */
export interface MeasuredBacklog {
  readonly queue: string;
  readonly class: string;
  readonly jobs: number;
  readonly organizations: number;
  /** Time for which the oldest of these jobs has waited, in seconds. */
  readonly oldestSeconds: number;
}

interface BacklogGauge {
  readonly name: string;
  readonly help: string;
  readonly getValue: (backlog: MeasuredBacklog) => number;
}

const LABELS = ['queue', 'class'] as const;

/**
 * Adds metrics of the jobs that wait in the outbox until their queue has room. Each request for the metrics calls
 * `read`.
 */
export function registerBacklogMetrics({ registry }: Metrics, read: () => Promise<readonly MeasuredBacklog[]>): void {
  const readBacklog = createMetricsRead(read);
  const addGauge = ({ name, help, getValue }: BacklogGauge): void => {
    const gauge = new Gauge<(typeof LABELS)[number]>({
      ...{ name, help, labelNames: LABELS, registers: [registry] },
      collect: async () => {
        const rows = (await readBacklog()) ?? [];
        gauge.reset();
        for (const row of rows) gauge.set({ queue: row.queue, class: row.class }, getValue(row));
      },
    });
  };
  addGauge({
    name: 'quarry_backlog_jobs',
    help: 'Jobs that wait for a place in their queue.',
    getValue: ({ jobs }) => jobs,
  });
  addGauge({
    name: 'quarry_backlog_organizations',
    help: 'Organizations with jobs that wait for a place in their queue.',
    getValue: ({ organizations }) => organizations,
  });
  addGauge({
    name: 'quarry_backlog_oldest_seconds',
    help: 'Seconds that the oldest job has waited for a place in its queue.',
    getValue: ({ oldestSeconds }) => oldestSeconds,
  });
}
