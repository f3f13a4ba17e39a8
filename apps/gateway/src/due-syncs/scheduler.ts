import { redactQueryParameters } from '../database/query-error.js';
import type { Gateway } from '../gateway.js';
import { resumeWaiting } from './resume-waiting.js';
import { startDueSyncs } from './start-due-syncs.js';

export interface Scheduler {
  /** Stops the scheduler. Resolves when a run in progress has ended. */
  close(): Promise<void>;
}

const EVERY_MS = 5_000;

/**
 * Starts the scheduler. Every few seconds it starts due syncs, and syncs that waited for room in the usage limit. Its state is in
 * the database, so any number of gateways may run one.
 */
export function startScheduler(gateway: Pick<Gateway, 'db' | 'log' | 'clock' | 'outboxWritten'>): Scheduler {
  let looking: Promise<void> | undefined;
  const look = async (): Promise<void> => {
    try {
      const started = await startDueSyncs(gateway);
      if (started > 0) gateway.log.info({ started }, 'syncs were started by their schedule');
      const resumed = await resumeWaiting(gateway);
      if (resumed > 0) gateway.log.info({ resumed }, 'syncs that waited for room were started');
    } catch (error) {
      gateway.log.warn({ err: redactQueryParameters(error) }, 'the scheduler failed: it tries again in a few seconds');
    }
    looking = undefined;
  };
  const timer = setInterval(() => {
    looking ??= look();
  }, EVERY_MS);
  return {
    close: async () => {
      clearInterval(timer);
      await looking;
    },
  };
}
