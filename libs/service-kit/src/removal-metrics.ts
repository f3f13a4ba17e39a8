import { Gauge } from 'prom-client';
import type { Metrics } from './metrics.js';

/** Describes the removals of content that the worker has not confirmed yet. */
export interface MeasuredRemovals {
  readonly waiting: number;
  /** Time of the oldest unconfirmed removal. Undefined when all removals are confirmed. */
  readonly oldestAt: Date | undefined;
}

/**
 * Adds metrics of the number of unconfirmed removals, and of the age of the oldest one. Each request for the metrics
 * calls `read`.
 */
export function registerRemovalMetrics(metrics: Metrics, read: () => Promise<MeasuredRemovals>): void {
  const oldest = new Gauge({
    name: 'quarry_removals_oldest_seconds',
    help: 'Seconds that the oldest removal has waited to be confirmed; 0 when none is waiting.',
    registers: [metrics.registry],
  });
  const waiting = new Gauge({
    name: 'quarry_removals_waiting',
    help: 'Deleted documents, datasources and datastores whose content may still be in the fragment store.',
    registers: [metrics.registry],
    collect: async () => {
      try {
        const removals = await read();
        waiting.set(removals.waiting);
        oldest.set(removals.oldestAt === undefined ? 0 : (Date.now() - removals.oldestAt.getTime()) / 1_000);
      } catch {
        // A missing value is better than an outdated value. `quarry_dependency_up` reports that the database is
        // unavailable.
        waiting.remove();
        oldest.remove();
      }
    },
  });
}
