import { withoutParameters } from '../database/query-error.js';
import type { Gateway } from '../gateway.js';
import { resumeWaiting } from '../usage/resume-waiting.js';
import { startDueSyncs } from './start-due-syncs.js';

export interface Scheduler {
  /** Starts no more; resolves when a look that is under way has ended. */
  close(): Promise<void>;
}

const EVERY_MS = 5_000;

/** Looks every few seconds for syncs whose time has come, or that have room again. What it knows is in the database: any number of gateways may do so. */
export function startScheduler(gateway: Pick<Gateway, 'db' | 'log' | 'clock' | 'outboxWritten'>): Scheduler {
  let looking: Promise<void> | undefined;
  const look = async (): Promise<void> => {
    try {
      const started = await startDueSyncs(gateway);
      if (started > 0) gateway.log.info({ started }, 'syncs were started by their schedule');
      const resumed = await resumeWaiting(gateway);
      if (resumed > 0) gateway.log.info({ resumed }, 'syncs that waited for room were started');
    } catch (error) {
      gateway.log.warn({ err: withoutParameters(error) }, 'the scheduler could not look: it tries again');
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
