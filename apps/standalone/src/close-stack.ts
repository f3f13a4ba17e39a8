import type { RunningService } from '@quarry/service-kit';

/** Registers a function that closes a resource at shutdown. */
export type OnClose = (close: () => Promise<void> | void) => void;

/** Holds the functions that close the opened resources. */
export interface CloseStack {
  readonly onClose: OnClose;
  /**
   * Closes all resources in reverse order of their registration, even if some of them fail to close.
   *
   * @throws AggregateError with all failures
   */
  readonly closeAll: () => Promise<void>;
}

export function createCloseStack(): CloseStack {
  const functions: (() => Promise<void> | void)[] = [];
  return {
    onClose: (close) => {
      functions.push(close);
    },
    closeAll: async () => {
      const failures: unknown[] = [];
      for (let close = functions.pop(); close !== undefined; close = functions.pop()) {
        try {
          await close();
        } catch (error) {
          failures.push(error);
        }
      }
      if (failures.length > 0) throw new AggregateError(failures, 'some resources could not be closed');
    },
  };
}

/**
 * Closes services at the same time, so that each of them has the whole time until the deadline.
 *
 * @throws AggregateError with all failures, after all services have closed or failed to close
 */
export async function closeConcurrently(services: readonly RunningService[], deadlineMs: number): Promise<void> {
  const closed = await Promise.allSettled(services.map(async (service) => service.close(deadlineMs)));
  const failures = closed.filter((result) => result.status === 'rejected').map(({ reason }): unknown => reason);
  if (failures.length > 0) throw new AggregateError(failures, 'some services could not be closed');
}
