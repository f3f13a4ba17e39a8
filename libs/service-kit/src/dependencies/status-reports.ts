import { getInstanceId, type ServiceStatus } from './service-status.js';

/** Receives the states of processes. */
export interface StatusTarget {
  /** Reports a state. It replaces the previous one of the same process. */
  sendStatus(status: ServiceStatus): Promise<void>;
  /** Reports that a process stops. */
  endInstance(instance: string): Promise<void>;
}

/**
 * Sends the state of this process to `target` at once, and then at each interval. A failed report is dropped, because
 * the next report replaces it. The gateway shows processes whose reports are missing.
 *
 * @returns an object whose `close` waits for the report in progress, and reports that the process stops
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
