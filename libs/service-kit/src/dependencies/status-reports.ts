import { getInstanceId, type ServiceStatus } from './service-status.js';

/** Reports the statuses of processes to the gateway, which stores them. */
export interface StatusReporter {
  /** Reports the status of a process. It replaces the previous status of the same process. */
  sendStatus(status: ServiceStatus): Promise<void>;
  /** Reports that a process stops. */
  endInstance(instance: string): Promise<void>;
}

/**
 * Reports the status of this process with `reporter` at once, and then every `intervalMs` milliseconds. A failed report
 * is not repeated, because the next report replaces it.
 *
 * @returns an object whose `close` waits for the report in progress, and then reports that the process stops
 */
export function startStatusReports(
  readStatus: () => Promise<ServiceStatus>,
  reporter: StatusReporter,
  intervalMs: number,
): { close(): Promise<void> } {
  let running: Promise<void> | undefined;
  const sendReport = (): void => {
    running ??= readStatus()
      .then((status) => reporter.sendStatus(status))
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
      await reporter.endInstance(getInstanceId()).catch(() => undefined);
    },
  };
}
