import { getInstanceId, type ServiceStatus } from './service-status.js';

/** Receives the states of processes. */
export interface StatusTarget {
  /** Reports a state. It replaces the previous one of the same process. */
  send(status: ServiceStatus): Promise<void>;
  /** Reports that a process stops. */
  end(instance: string): Promise<void>;
}

/**
 * Starts to report the state of this process, at once and at each interval. A failed report is dropped, because the next one
 * replaces it, and the gateway shows that reports are missing.
 *
 * @returns `close` waits for a report in progress, and reports the end
 */
export function startStatusReports(
  readStatus: () => Promise<ServiceStatus>,
  target: StatusTarget,
  intervalMs: number,
): { close(): Promise<void> } {
  let running: Promise<void> | undefined;
  const report = (): void => {
    running ??= readStatus()
      .then((status) => target.send(status))
      .catch(() => undefined)
      .finally(() => {
        running = undefined;
      });
  };
  report();
  const timer = setInterval(report, intervalMs);
  return {
    close: async () => {
      clearInterval(timer);
      await running;
      await target.end(getInstanceId()).catch(() => undefined);
    },
  };
}
