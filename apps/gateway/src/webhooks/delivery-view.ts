import { DeliverWebhook, type DeliveryDetailResponse, type DeliveryResponse } from '@quarry/contracts';
import { parse } from '@quarry/validation';
import type { WebhookDeliveryRow } from '../database/tables/webhook-deliveries.js';
import { getDeliveredEvent } from './event.js';
import { buildRedactedHeaders } from './signature.js';

/** Builds the API response of a delivery. */
export function buildDeliveryResponse(row: WebhookDeliveryRow): DeliveryResponse {
  const { eventId: id, state, failure, createdAt, nextAttemptAt, endedAt, tries } = row;
  return {
    ...{ id, type: getDeliveredEvent(row.payload).type, createdAt: createdAt.toISOString(), state, failure },
    nextAttemptAt: nextAttemptAt?.toISOString() ?? null,
    endedAt: endedAt?.toISOString() ?? null,
    tries: tries.map((one) => ({ ...one, errorCode: one.errorCode ?? null })),
  };
}

/** Builds the API response of a delivery including its HTTP request. The signature of the request is omitted. */
export function buildDeliveryDetailResponse(row: WebhookDeliveryRow): DeliveryDetailResponse {
  const latest = row.tries.at(-1);
  // PostgreSQL does not preserve the order of JSON fields. `parse` restores it, as in the body that is sent.
  const body = JSON.stringify(getDeliveredEvent(parse(DeliverWebhook, row.payload, 'ignore')));
  const headers = {
    'content-type': 'application/json',
    ...buildRedactedHeaders(row.eventId, latest && new Date(latest.at)),
  };
  return Object.assign(buildDeliveryResponse(row), { request: { headers, body } });
}
