import { setTimeout as wait } from 'node:timers/promises';
import { withoutParameters } from '../database/query-error.js';
import type { Gateway } from '../gateway.js';
import { BATCH, publishBatch } from './publish-batch.js';
import { openPublishers } from './publishers.js';

export interface Relay {
  /** Publishes no more; resolves when what is under way has ended. */
  close(): Promise<void>;
}

/** Looks by itself so often, for what another gateway wrote and did not publish. */
const POLL_MS = 1_000;
/** Publishing costs much the same for one job as for ten: what comes so soon after another waits for company. */
const REST_MS = 25;

/** Publishes the outbox as soon as something is written to it, and goes on trying while a queue is away. */
export function startRelay(gateway: Pick<Gateway, 'db' | 'log' | 'queues' | 'outboxWritten'>): Relay {
  const { db, log, queues, outboxWritten } = gateway;
  const relaying = { db, log, publishers: openPublishers(queues) };
  let closed = false;
  let isAway = false;

  const publish = async (): Promise<number> => {
    try {
      const count = await publishBatch(relaying);
      if (isAway) log.info('the outbox is published again');
      isAway = false;
      return count;
    } catch (error) {
      if (!isAway) log.warn({ err: withoutParameters(error) }, 'the outbox cannot be published: trying on');
      isAway = true;
      return 0;
    }
  };
  const run = async (): Promise<void> => {
    while (!closed) {
      const count = await publish();
      if (count === BATCH) continue;
      // That was all there was: what is written from now on wakes the signal.
      if (count > 0) await wait(REST_MS);
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
