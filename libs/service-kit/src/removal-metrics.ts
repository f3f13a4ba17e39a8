import { Gauge } from 'prom-client';
import type { Metrics } from './metrics.js';

/** What is to be read of removals that are not confirmed. */
export interface MeasuredRemovals {
  readonly waiting: number;
  /** Undefined where none waits. */
  readonly oldestAt: Date | undefined;
}

/** Shows how many removals wait to be confirmed, and the age of the oldest; both are read when the metrics are. */
export function measureRemovals(metrics: Metrics, read: () => Promise<MeasuredRemovals>): void {
  const oldest = new Gauge({
    name: 'quarry_removals_oldest_seconds',
    help: 'How long the oldest removal has waited to be confirmed; 0 when none waits.',
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
        // No number is better than an old one: an alert on missing data is the database's.
        waiting.remove();
        oldest.remove();
      }
    },
  });
}
