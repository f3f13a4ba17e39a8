import type { QueueLog } from '../handlers.js';

/** A log for tests that read no log. */
export const silentLog: QueueLog = {
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  child: () => silentLog,
};
