import { redactQueryParameters } from '../database/query-error.js';
import type { Gateway } from '../gateway.js';
import { startWaitingSyncs } from './start-waiting-syncs.js';
import { startDueSyncs } from './start-due-syncs.js';

/** A running timer that starts due syncs. */
export interface Scheduler {
  /** Stops the timer. Resolves when no sync is being started any more. */
  close(): Promise<void>;
}

const SCHEDULER_INTERVAL_MS = 5_000;

/**
 * Starts a timer that, every 5 seconds, starts due syncs and syncs that waited for a higher limit of stored tokens.
 * Every gateway can run a scheduler, because the schedule is stored in the database.
 */
export function startSyncScheduler(
  gateway: Pick<Gateway, 'db' | 'log' | 'clock' | 'outboxWritten' | 'changes'>,
): Scheduler {
  let running: Promise<void> | undefined;
  const runDueSyncs = async (): Promise<void> => {
    try {
      const started = await startDueSyncs(gateway);
      if (started > 0) gateway.log.info({ started }, 'started scheduled syncs');
      const resumed = await startWaitingSyncs(gateway);
      if (resumed > 0)
        gateway.log.info({ resumed }, 'started syncs that had waited for a higher limit of stored tokens');
    } catch (error) {
      gateway.log.warn(
        { err: redactQueryParameters(error) },
        'failed to start due syncs: the scheduler tries again in a few seconds',
      );
    }
    running = undefined;
  };
  const timer = setInterval(() => {
    running ??= runDueSyncs();
  }, SCHEDULER_INTERVAL_MS);
  return {
    close: async () => {
      clearInterval(timer);
      await running;
    },
  };
}
