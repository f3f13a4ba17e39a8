import { datasourceStatusQueue, webhookQueue, type DatasourceStatusJobs } from '@quarry/contracts';
import type { Consumer } from '@quarry/queue';
import { redactQueryParameters } from './database/query-error.js';
import type { Gateway } from './gateway.js';
import { deliverWebhook, type Delivering } from './handlers/deliver-webhook.js';
import { documentRetrying, documentSettled, runEnumerated } from './handlers/document-settled.js';
import { runProgressed, runRetrying } from './handlers/run-progressed.js';
import { statusesChanged } from './handlers/status-changed.js';
import { confirmRemoval } from './removals/confirm-removal.js';
import { endDelivery } from './webhooks/deliveries.js';

const AT_ONCE = 8;

/** Starts to take in what the workers say of their runs. */
export function startConsumers(gateway: Gateway): Consumer {
  return gateway.queues.consumer(
    datasourceStatusQueue,
    {
      'status-changed': async (payload, job) => told(statusesChanged(gateway, [payload], job)),
      'statuses-changed': async ({ changes }, job) => told(statusesChanged(gateway, changes, job)),
      'run-progressed': async (payload) => told(runProgressed(gateway, payload)),
      'run-retrying': async (payload) => told(runRetrying(gateway, payload)),
      'document-settled': async (payload) => told(documentSettled(gateway, payload)),
      'document-retrying': async (payload) => told(documentRetrying(gateway, payload)),
      'run-enumerated': async (payload) => told(runEnumerated(gateway, payload)),
      'removal-done': async (payload) => told(confirmRemoval(gateway, payload)),
    },
    {
      concurrency: AT_ONCE,
      onFailed: ({ name, reason, ...event }, { id }) => {
        const runs = event.readable ? runsOf(event.payload) : undefined;
        gateway.log.error({ event: id, name, runs, reason }, 'an event cannot be recorded and is dropped');
        return Promise.resolve();
      },
    },
  );
}

function runsOf(payload: DatasourceStatusJobs[keyof DatasourceStatusJobs]): readonly string[] {
  if ('changes' in payload) return payload.changes.map(({ runId }) => runId);
  return 'runId' in payload ? [payload.runId] : [];
}

/** At once: most of their time they wait for an answer. */
const DELIVERIES_AT_ONCE = 16;

/** Starts to tell webhooks. */
export function startDeliveries(gateway: Pick<Gateway, keyof Delivering | 'queues'>): Consumer {
  return gateway.queues.consumer(
    webhookQueue,
    { 'deliver-webhook': async (payload, job) => told(deliverWebhook(gateway, payload, job.signal)) },
    {
      concurrency: DELIVERIES_AT_ONCE,
      onFailed: async (failure) => {
        if (failure.readable) await told(endDelivery(gateway.db, failure.payload));
      },
    },
  );
}

/** The queue keeps and logs what a handler throws. */
async function told(handled: Promise<void>): Promise<void> {
  try {
    await handled;
  } catch (error) {
    throw redactQueryParameters(error);
  }
}
