import { datasourceStatusQueue, webhookQueue } from '@quarry/contracts';
import type { Consumer } from '@quarry/queue-bullmq';
import { quietly } from './database/query-error.js';
import type { Gateway } from './gateway.js';
import { deliverWebhook, type Delivering } from './handlers/deliver-webhook.js';
import { statusHandlers } from './handlers/status-handlers.js';

const AT_ONCE = 8;

/** Starts to take in what the workers say of their runs. */
export function startConsumers(gateway: Gateway): Consumer {
  return gateway.queues.consumer(datasourceStatusQueue, statusHandlers(gateway), { concurrency: AT_ONCE });
}

/** At once: most of their time they wait for an answer. */
const DELIVERIES_AT_ONCE = 16;

/** Starts to tell webhooks. */
export function startDeliveries(gateway: Pick<Gateway, keyof Delivering | 'queues'>): Consumer {
  return gateway.queues.consumer(
    webhookQueue,
    { 'deliver-webhook': async (payload, job) => quietly(deliverWebhook(gateway, payload, job.signal)) },
    { concurrency: DELIVERIES_AT_ONCE },
  );
}
