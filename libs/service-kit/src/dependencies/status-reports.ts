import { getInstanceId, type ServiceStatus } from './service-status.js';

/** Receives the statuses of processes. */
export interface StatusTarget {
  /** Reports the status of a process. It replaces the previous status of the same process. */
  sendStatus(status: ServiceStatus): Promise<void>;
  /** Reports that a process stops. */
  endInstance(instance: string): Promise<void>;
}

/**
 * Sends the status of this process to `target` at once, and then every `intervalMs` milliseconds. A failed report is
 * dropped, because the next report replaces it. The gateway marks a process whose reports are missing.
 *
 * @returns an object whose `close` waits for the report in progress, and then reports that the process stops
 */
export function startStatusReports(
  readStatus: () => Promise<ServiceStatus>,
  target: StatusTarget,
  intervalMs: number,
): { close(): Promise<void> } {
  let running: Promise<void> | undefined;
  const sendReport = (): void => {
    running ??= readStatus()
      .then((status) => target.sendStatus(status))
      .catch(() => undefined)
      .finally(() => {
        running = undefined;
      });
  };
  sendReport();
  const timer = setInterval(sendReport, intervalMs);
  return {
    close: async () => {
      clearInterval(timer);
      await running;
      await target.endInstance(getInstanceId()).catch(() => undefined);
    },
  };
}
