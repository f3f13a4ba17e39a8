import {
  DeliveryDetailResponse,
  DeliveryListQuery,
  DeliveryResponse,
  ENDED_DELIVERY_STATES,
  MAX_RESENT_DELIVERIES,
  ResendDeliveriesRequest,
  ResendDeliveriesResponse,
  RotatedSecretResponse,
  RotateSecretQuery,
} from '@quarry/contracts';
import { parseTime } from '../checks/parse-time.js';
import type { Operation } from '../http/declaration.js';
import { defineOperation } from '../http/define-operation.js';
import { buildOkReply } from '../http/reply.js';
import { describeJsonBody } from '../http/request-body.js';
import { createObjectSchema, createPageSchema, describeJsonResponse } from '../http/responses.js';
import { buildPage, parsePageRequest, formatCursor } from '../paging/pages.js';
import { findDelivery, listDeliveries, resendDeliveries, resendDelivery } from '../webhooks/delivery-repository.js';
import { buildDeliveryResponse, buildDeliveryDetailResponse } from '../webhooks/delivery-view.js';
import { MAX_PREVIOUS_SECRETS, rotateWebhookSecret } from '../webhooks/rotate-webhook-secret.js';
import { MAX_TEST_EVENTS, writeTestEvent } from '../webhooks/test-event.js';
import { findWebhook } from '../webhooks/webhook-repository.js';

const RESENT = `The request has the same \`webhook-id\` and body, a new timestamp and a new signature. A receiver that detects duplicates by the id ignores it, too. Up to 32 attempts are made.

Resent events wait behind events that are already due, within the same limits. They are not sent while the webhook is paused or disabled. To end the pause, set \`enabled\` to true.`;

const LISTED = `Sorted by the creation time of the events, newest first. A delivery is kept for 7 days after its end, and up to 30 days while it waits.

The response to an attempt is recorded after it was received. If the gateway stops in between, that attempt is missing and the event is sent again.`;

const ROTATION = `Replaces the secret. The response contains the new secret, which is not shown again.

For 24 hours, requests are also signed with the replaced secret, so that the receiver can change its secret at any time of them. \`webhook-signature\` then contains several signatures, separated by spaces.

At most ${MAX_PREVIOUS_SECRETS} replaced secrets are valid at the same time. A further rotation returns 409 until one expires. With \`revokePrevious=true\`, all replaced secrets become invalid at once, and only the new one is valid.`;

/** Lists the operations on the deliveries and the secret of a webhook. */
export const WEBHOOK_DELIVERY_OPERATIONS: readonly Operation[] = [
  defineOperation({
    id: 'listWebhookDeliveries',
    method: 'get',
    path: '/webhooks/{id}/deliveries',
    tag: 'Webhooks',
    summary: 'List the deliveries of a webhook',
    description: LISTED,
    scopes: ['manage'],
    refusesLimitedKeys: true,
    params: { id: 'webhook' },
    query: DeliveryListQuery,
    responses: { 200: describeJsonResponse('One page of deliveries.', createPageSchema(DeliveryResponse)) },
    handle: async ({ gateway: { db }, caller: { organizationId }, params, query }) => {
      const page = parsePageRequest(query);
      const { id } = await findWebhook(db, organizationId, params.id);
      const rows = await listDeliveries(db, id, { state: query.state, type: query.type }, page);
      return buildOkReply(buildPage(rows, page, buildDeliveryResponse));
    },
  }),

  defineOperation({
    id: 'getWebhookDelivery',
    method: 'get',
    path: '/webhooks/{id}/deliveries/{deliveryId}',
    tag: 'Webhooks',
    summary: 'Get a delivery',
    description:
      'Contains the headers and the body of its request. The signature is not shown, because it is valid for some minutes.',
    scopes: ['manage'],
    refusesLimitedKeys: true,
    params: { id: 'webhook', deliveryId: 'delivery' },
    responses: { 200: describeJsonResponse('The delivery.', createObjectSchema(DeliveryDetailResponse)) },
    handle: async ({ gateway: { db }, caller: { organizationId }, params }) => {
      const { id: webhookId } = await findWebhook(db, organizationId, params.id);
      return buildOkReply(
        buildDeliveryDetailResponse(await findDelivery(db, { webhookId, eventId: params.deliveryId })),
      );
    },
  }),

  defineOperation({
    id: 'resendWebhookDelivery',
    method: 'post',
    path: '/webhooks/{id}/deliveries/{deliveryId}/resend',
    tag: 'Webhooks',
    summary: 'Resend an event',
    description: `${RESENT}\n\nAn event that waits for its next attempt is due at once. An event with an attempt in progress stays unchanged.`,
    scopes: ['manage'],
    refusesLimitedKeys: true,
    params: { id: 'webhook', deliveryId: 'delivery' },
    idempotency: 'transaction',
    responses: { 200: describeJsonResponse('The delivery.', createObjectSchema(DeliveryResponse)) },
    problems: ['test_event'],
    handle: async ({ gateway: { db, clock, deliveriesDue }, caller: { organizationId }, params, runOnce }) => {
      const { id: webhookId } = await findWebhook(db, organizationId, params.id);
      const id = { webhookId, eventId: params.deliveryId };
      const reply = await runOnce(async (tx) =>
        buildOkReply(buildDeliveryResponse(await resendDelivery(tx, id, clock()))),
      );
      deliveriesDue.wake();
      return reply;
    },
  }),

  defineOperation({
    id: 'resendWebhookDeliveries',
    method: 'post',
    path: '/webhooks/{id}/resend',
    tag: 'Webhooks',
    summary: 'Resend events since a time',
    description: `Resends events whose delivery has ended, oldest first, except test events. One request resends at most ${MAX_RESENT_DELIVERIES} events. Send \`next_cursor\` as \`cursor\` to continue.\n\n${RESENT}`,
    scopes: ['manage'],
    refusesLimitedKeys: true,
    params: { id: 'webhook' },
    body: describeJsonBody(ResendDeliveriesRequest, { unknownFields: 'refuse' }),
    idempotency: 'transaction',
    responses: { 200: describeJsonResponse('The number of events.', createObjectSchema(ResendDeliveriesResponse)) },
    find: async ({ gateway, caller, params }) => findWebhook(gateway.db, caller.organizationId, params.id),
    handle: async ({ gateway: { clock, deliveriesDue }, found: { id }, body, runOnce }) => {
      const since = parseTime('since', body.since);
      const { before: after } = parsePageRequest(typeof body.cursor === 'string' ? { cursor: body.cursor } : {});
      const states = typeof body.state === 'string' ? [body.state] : ENDED_DELIVERY_STATES;
      const reply = await runOnce(async (tx) => {
        const filter = { since, states, after, limit: MAX_RESENT_DELIVERIES };
        const { resent, last } = await resendDeliveries(tx, id, filter, clock());
        return buildOkReply({ resent, next_cursor: last === undefined ? null : formatCursor(last) });
      });
      deliveriesDue.wake();
      return reply;
    },
  }),

  defineOperation({
    id: 'testWebhook',
    method: 'post',
    path: '/webhooks/{id}/test',
    tag: 'Webhooks',
    summary: 'Send a test event',
    description: `Sends a \`WebhookTestEvent\` at once, also to a webhook that is paused or disabled. One attempt is made. Its outcome is in the delivery with the returned \`id\`, and changes neither the pause nor \`enabled\`. A webhook gets at most ${MAX_TEST_EVENTS} test events per hour.`,
    scopes: ['manage'],
    refusesLimitedKeys: true,
    params: { id: 'webhook' },
    idempotency: 'transaction',
    responses: { 200: describeJsonResponse('The delivery.', createObjectSchema(DeliveryResponse)) },
    problems: ['too_many_test_events'],
    handle: async ({ gateway: { db, clock, deliveriesDue }, caller: { organizationId }, params, runOnce }) => {
      const webhook = await findWebhook(db, organizationId, params.id);
      const reply = await runOnce(async (tx) =>
        buildOkReply(buildDeliveryResponse(await writeTestEvent(tx, webhook, clock()))),
      );
      deliveriesDue.wake();
      return reply;
    },
  }),

  defineOperation({
    id: 'rotateWebhookSecret',
    method: 'post',
    path: '/webhooks/{id}/rotate-secret',
    tag: 'Webhooks',
    summary: 'Rotate the secret of a webhook',
    description: ROTATION,
    scopes: ['manage'],
    refusesLimitedKeys: true,
    params: { id: 'webhook' },
    query: RotateSecretQuery,
    idempotency: 'transaction',
    responses: { 200: describeJsonResponse('The new secret.', createObjectSchema(RotatedSecretResponse)) },
    problems: ['too_many_secrets'],
    handle: async ({ gateway, caller: { organizationId }, params, query, runOnce }) => {
      const { db, secretCipher, clock, deliveriesDue } = gateway;
      const { id } = await findWebhook(db, organizationId, params.id);
      const options = { revokePrevious: query.revokePrevious === true, now: clock() };
      const reply = await runOnce(
        async (tx) => {
          const { secret, previousSecretsUntil } = await rotateWebhookSecret(tx, secretCipher, id, options);
          return buildOkReply({ secret, previousSecretExpiresAt: previousSecretsUntil?.toISOString() ?? null });
        },
        [query.revokePrevious === true],
      );
      deliveriesDue.wake();
      return reply;
    },
  }),
];
