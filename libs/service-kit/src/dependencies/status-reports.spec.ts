import { describe, expect, it } from 'vitest';
import { getInstanceId, type ServiceStatus } from './service-status.js';
import { startStatusReports, type StatusReporter } from './status-reports.js';

const STATUS: ServiceStatus = {
  ...{ name: 'crawler', instance: getInstanceId(), version: '1', startedAt: '2026-01-01T00:00:00Z' },
  ...{ dependencies: [], components: [] },
};

/**
 * Creates a reporter that records the statuses that it receives, and throws an error for the first `failures` of them.
 */
function createFailingReporter(
  failures: number,
): StatusReporter & { readonly received: string[]; untilSent(): Promise<void> } {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const received: string[] = [];
  let left = failures;
  return {
    received,
    untilSent: async () => {
      await promise;
    },
    sendStatus: async ({ name }) => {
      left -= 1;
      if (left >= 0) return Promise.reject(new Error('the gateway does not respond'));
      received.push(`state of ${name}`);
      resolve(undefined);
      return Promise.resolve();
    },
    endInstance: async (instance) => {
      received.push(`end of ${instance}`);
      return Promise.resolve();
    },
  };
}

describe('startStatusReports', () => {
  it('startStatusReports sends a report at once, and close() sends a final report', async () => {
    const reporter = createFailingReporter(0);
    const reports = startStatusReports(() => Promise.resolve(STATUS), reporter, 60_000);
    await reporter.untilSent();
    await reports.close();
    expect(reporter.received).toEqual(['state of crawler', `end of ${getInstanceId()}`]);
  });

  it('startStatusReports sends the next report even if the previous report failed', async () => {
    const reporter = createFailingReporter(2);
    const reports = startStatusReports(() => Promise.resolve(STATUS), reporter, 5);
    await reporter.untilSent();
    await reports.close();
    expect(reporter.received[0]).toBe('state of crawler');
  });

  it('close() of the status reports resolves even if the reporter rejects the final report', async () => {
    const reporter = {
      ...createFailingReporter(0),
      endInstance: () => Promise.reject(new Error('the gateway does not respond')),
    };
    await expect(startStatusReports(() => Promise.resolve(STATUS), reporter, 60_000).close()).resolves.toBeUndefined();
  });
});
