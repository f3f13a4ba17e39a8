import { webhookQueue, type WebhookJobs } from '@quarry/contracts';
import type { NewJob, Producer } from '@quarry/queue';
import { ValidationError } from '@quarry/validation';
import { type RunningLoop, startLoop } from '../concurrency/start-loop.js';
import type { Gateway } from '../gateway.js';
import { CLAIM_BATCH, claimDeliveries, type ClaimedDelivery } from './claim-deliveries.js';
import { deleteDelivery, releaseUnenqueuedClaims } from './deliveries.js';

/**
 * Interval in milliseconds at which the deliverer searches for deliveries that became due or that a different gateway
 * wrote.
 */
const POLL_MS = 1_000;

type DelivererContext = Pick<Gateway, 'db' | 'queues' | 'log' | 'clock' | 'deliveriesDue'>;

/**
 * Starts the deliverer, which enqueues deliveries to webhooks as soon as they are due. The deliverer retries while the
 * queue or the database is unavailable.
 */
export function startWebhookDeliverer(gateway: DelivererContext): RunningLoop {
  const { log, deliveriesDue } = gateway;
  return startLoop({
    log,
    work: () => enqueueDueDeliveries(gateway),
    failed: 0,
    pause: async (count) => {
      if (count < CLAIM_BATCH) await deliveriesDue.wait(POLL_MS);
    },
    wake: () => {
      deliveriesDue.wake();
    },
    messages: {
      unavailable: 'events for webhooks cannot be enqueued; retrying',
      available: 'events for webhooks are enqueued again',
    },
  });
}

/**
 * Claims due deliveries, and enqueues one job for the next attempt of each. If a job is lost, its claim expires, and
 * the delivery is claimed again.
 *
 * @returns the number of claimed deliveries
 * @throws when the queue or the database is unavailable; the deliveries can be claimed again at once
 */
export async function enqueueDueDeliveries(gateway: Pick<Gateway, 'db' | 'queues' | 'log' | 'clock'>): Promise<number> {
  const { db, queues, clock } = gateway;
  const claimed = await claimDeliveries(db, clock());
  if (claimed.length === 0) return 0;
  const producer = queues.createProducer(webhookQueue);
  try {
    await producer.addAll(claimed.map(buildDeliveryJob));
  } catch (error) {
    if (error instanceof ValidationError) await enqueueOrDeleteDeliveries(gateway, producer, claimed);
    else {
      // If the database is unavailable, the claims are not released, but expire later.
      await releaseUnenqueuedClaims(
        db,
        claimed.map(({ payload }) => payload),
      ).catch(() => undefined);
      throw error;
    }
  }
  return claimed.length;
}

/** Enqueues deliveries one by one. Deletes the deliveries whose payload the queue refuses as invalid. */
async function enqueueOrDeleteDeliveries(
  { db, log }: Pick<Gateway, 'db' | 'log'>,
  producer: Producer<WebhookJobs>,
  claimed: readonly ClaimedDelivery[],
): Promise<void> {
  for (const delivery of claimed) {
    try {
      await producer.addAll([buildDeliveryJob(delivery)]);
    } catch (error) {
      if (!(error instanceof ValidationError)) throw error;
      const { webhookId, eventId } = delivery.payload;
      log.error({ webhookId, eventId, err: error }, 'an event for a webhook was refused by its queue; it is deleted');
      await deleteDelivery(db, delivery.payload);
    }
  }
}

function buildDeliveryJob({ payload, traceparent }: ClaimedDelivery): NewJob<WebhookJobs> {
  return { name: 'deliver-webhook', payload, ...(traceparent === null ? {} : { traceparent }) };
}
