import { setTimeout as wait } from 'node:timers/promises';
import { redactQueryParameters } from '../database/query-error.js';
import type { Gateway } from '../gateway.js';
import { BATCH, openPublishers, publishBatch } from './publish-batch.js';

export interface Relay {
  /** Stops the relay. Resolves when a batch in progress has ended. */
  close(): Promise<void>;
}

/** Interval at which the relay reads the outbox for jobs of other gateways, in milliseconds. */
const POLL_MS = 1_000;
/**
 * Linger in milliseconds: publishing one job costs almost as much as publishing ten, so jobs that are written in short succession
 * share a batch.
 */
const LINGER_MS = 25;

/**
 * Starts the relay, which publishes the outbox as soon as something is written to it. It retries while a queue is unavailable.
 */
export function startRelay(gateway: Pick<Gateway, 'db' | 'log' | 'queues' | 'outboxWritten'>): Relay {
  const { db, log, queues, outboxWritten } = gateway;
  const relaying = { db, log, publishers: openPublishers(queues) };
  let closed = false;
  let isUnavailable = false;

  const publish = async (): Promise<number> => {
    try {
      const count = await publishBatch(relaying);
      if (isUnavailable) log.info('the outbox is published again');
      isUnavailable = false;
      return count;
    } catch (error) {
      if (!isUnavailable) log.warn({ err: redactQueryParameters(error) }, 'the outbox cannot be published; retrying');
      isUnavailable = true;
      return 0;
    }
  };
  const run = async (): Promise<void> => {
    while (!closed) {
      const count = await publish();
      if (count === BATCH) continue;
      // The outbox is empty. New jobs wake the signal.
      if (count > 0) await wait(LINGER_MS);
      await outboxWritten.wait(POLL_MS);
    }
  };
  const running = run();
  return {
    close: async () => {
      closed = true;
      outboxWritten.wake();
      await running;
    },
  };
}
