import type { QueueLog } from '../handlers.js';

/** A log that discards everything. */
export const silentLog: QueueLog = {
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  child: () => silentLog,
};
