import type { QueueLog } from '../handlers.js';

/** Discards all log entries. */
export const silentLog: QueueLog = {
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  child: () => silentLog,
};
