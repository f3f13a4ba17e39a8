import { datasourceStatusQueue, webhookQueue, type DatasourceStatusJobs, type DeliverWebhook } from '@quarry/contracts';
import type { Consumer } from '@quarry/queue';
import { redactQueryParameters } from './database/query-error.js';
import type { Gateway } from './gateway.js';
import { deliverWebhook, type DeliveryDependencies } from './webhooks/deliver-webhook.js';
import {
  handleDocumentRetrying,
  handleDocumentSettled,
  handleRunEnumerated,
  handleRunProgressed,
  handleRunRetrying,
  handleStatusesChanged,
} from './runs/update/run-events.js';
import { createOutcomeRecorder } from './runs/update/record-outcomes.js';
import { confirmRemoval } from './removals/removals.js';
import { retryDelivery } from './webhooks/deliveries.js';

const MAX_CONCURRENT_JOBS = 8;

/** An event of a worker about one or more datasources. */
type StatusEvent =
  { readonly datasourceId: string } | { readonly changes: readonly { readonly datasourceId: string }[] };

/** Starts the consumer of the status events that the workers send. */
export function startConsumers(gateway: Gateway): Consumer {
  const outcomes = createOutcomeRecorder(gateway);
  /**
   * Waits until an event is recorded, then publishes that its datasources have changed. Publishes this even if the
   * recording failed, because the gateway may have recorded a part of the event.
   */
  const publishAfterRecording = async (event: StatusEvent, recording: Promise<void>): Promise<void> => {
    try {
      await redactHandlerErrors(recording);
    } finally {
      const changed = 'changes' in event ? event.changes : [event];
      gateway.changes.publish(...changed.map(({ datasourceId: id }) => ({ kind: 'datasource', id }) as const));
    }
  };
  return gateway.queues.startConsumer(
    datasourceStatusQueue,
    {
      'status-changed': async (payload, job) =>
        publishAfterRecording(payload, handleStatusesChanged(gateway, [payload], job)),
      'statuses-changed': async (payload, job) =>
        publishAfterRecording(payload, handleStatusesChanged(gateway, payload.changes, job)),
      'run-progressed': async (payload) => publishAfterRecording(payload, handleRunProgressed(gateway, payload)),
      'run-retrying': async (payload) => publishAfterRecording(payload, handleRunRetrying(gateway, payload)),
      'document-settled': async (payload) =>
        publishAfterRecording(payload, handleDocumentSettled({ ...gateway, outcomes }, payload)),
      'document-retrying': async (payload) => publishAfterRecording(payload, handleDocumentRetrying(gateway, payload)),
      'run-enumerated': async (payload) => publishAfterRecording(payload, handleRunEnumerated(gateway, payload)),
      'removal-done': async (payload) => redactHandlerErrors(confirmRemoval(gateway, payload)),
    },
    {
      concurrency: MAX_CONCURRENT_JOBS,
      onFailed: ({ name, reason, ...event }, { id }) => {
        const runIds = event.readable ? listRunIds(event.payload) : undefined;
        gateway.log.error(
          { event: id, name, runs: runIds, reason },
          'a status event of a worker cannot be recorded and is dropped',
        );
        return Promise.resolve();
      },
    },
  );
}

function listRunIds(payload: DatasourceStatusJobs[keyof DatasourceStatusJobs]): readonly string[] {
  if ('changes' in payload) return payload.changes.map(({ runId }) => runId);
  return 'runId' in payload ? [payload.runId] : [];
}

/**
 * Maximum number of webhook deliveries in progress per gateway. The number is high, because a delivery mostly waits for
 * the receiver.
 */
const MAX_CONCURRENT_DELIVERIES = 64;

/** Starts the consumer that delivers events to webhooks. */
export function startDeliveryConsumer(gateway: Pick<Gateway, keyof DeliveryDependencies | 'queues'>): Consumer {
  return gateway.queues.startConsumer(
    webhookQueue,
    { 'deliver-webhook': async (payload, job) => redactHandlerErrors(deliverWebhook(gateway, payload, job.signal)) },
    {
      concurrency: MAX_CONCURRENT_DELIVERIES,
      // The receiver did not cause this failure, because a failed attempt to deliver does not fail its job. If the
      // payload of the job is unreadable, its delivery cannot be identified.
      onFailed: async (failure) => {
        if (failure.readable) await redactHandlerErrors(scheduleDeliveryRetry(gateway, failure.payload));
      },
    },
  );
}

/** Schedules the next attempt to deliver an event, after a job failed for a reason that the receiver did not cause. */
async function scheduleDeliveryRetry(
  { db, clock }: Pick<Gateway, 'db' | 'clock'>,
  payload: DeliverWebhook,
): Promise<void> {
  const { webhookId, eventId, attempt } = payload;
  if (attempt !== undefined) await retryDelivery(db, { webhookId, eventId, attempt }, clock());
}

/**
 * Awaits the promise of a handler. Removes query parameters from an error of the handler, because the queue stores and
 * logs the error.
 */
async function redactHandlerErrors(handled: Promise<void>): Promise<void> {
  try {
    await handled;
  } catch (error) {
    throw redactQueryParameters(error);
  }
}
