import { redactQueryParameters } from '../database/query-error.js';
import type { Gateway } from '../gateway.js';
import { startWaitingSyncs } from './start-waiting-syncs.js';
import { startDueSyncs } from './start-due-syncs.js';

export interface Scheduler {
  /** Stops the scheduler. Resolves when the work in progress has ended. */
  close(): Promise<void>;
}

const INTERVAL_MS = 5_000;

/**
 * Starts the scheduler. Every few seconds it starts due syncs, and syncs that waited for a higher limit of stored tokens. Its state
 * is in the database, so that every gateway can run one.
 */
export function startScheduler(gateway: Pick<Gateway, 'db' | 'log' | 'clock' | 'outboxWritten'>): Scheduler {
  let running: Promise<void> | undefined;
  const run = async (): Promise<void> => {
    try {
      const started = await startDueSyncs(gateway);
      if (started > 0) gateway.log.info({ started }, 'syncs were started by their schedule');
      const resumed = await startWaitingSyncs(gateway);
      if (resumed > 0)
        gateway.log.info({ resumed }, 'syncs that waited for a higher limit of stored tokens were started');
    } catch (error) {
      gateway.log.warn({ err: redactQueryParameters(error) }, 'the scheduler failed: it runs again in a few seconds');
    }
    running = undefined;
  };
  const timer = setInterval(() => {
    running ??= run();
  }, INTERVAL_MS);
  return {
    close: async () => {
      clearInterval(timer);
      await running;
    },
  };
}
