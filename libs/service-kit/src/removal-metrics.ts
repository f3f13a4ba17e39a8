import { Gauge } from 'prom-client';
import { createMetricsRead } from './metrics-read.js';
import type { Metrics } from './metrics.js';

/** Describes the removals of content that the worker has not confirmed yet. */
export interface MeasuredRemovals {
  readonly waiting: number;
  /** Time of the oldest unconfirmed removal. Undefined when all removals are confirmed. */
  readonly oldestAt: Date | undefined;
}

interface RemovalGauge {
  readonly name: string;
  readonly help: string;
  readonly getValue: (removals: MeasuredRemovals) => number;
}

/**
 * Adds metrics of the number of unconfirmed removals, and of the age of the oldest one. Each request for the metrics
 * calls `read`.
 */
export function registerRemovalMetrics({ registry }: Metrics, read: () => Promise<MeasuredRemovals>): void {
  const readRemovals = createMetricsRead(read);
  const addGauge = ({ name, help, getValue }: RemovalGauge): void => {
    const gauge = new Gauge({
      ...{ name, help, registers: [registry] },
      collect: async () => {
        const removals = await readRemovals();
        if (removals === undefined) gauge.remove();
        else gauge.set(getValue(removals));
      },
    });
  };
  addGauge({
    name: 'quarry_removals_waiting',
    help: 'Deleted documents, datasources and datastores whose content may still be in the fragment store.',
    getValue: ({ waiting }) => waiting,
  });
  addGauge({
    name: 'quarry_removals_oldest_seconds',
    help: 'Seconds that the oldest removal has waited to be confirmed; 0 when none is waiting.',
    getValue: ({ oldestAt }) => (oldestAt === undefined ? 0 : (Date.now() - oldestAt.getTime()) / 1_000),
  });
}
