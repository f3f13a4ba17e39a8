import {
  CreatedWebhookResponse,
  CreateWebhookRequest,
  PageQuery,
  UpdateWebhookRequest,
  WebhookResponse,
} from '@quarry/contracts';
import { requirePublicAddress } from '../checks/require-public-address.js';
import { newId } from '../database/id.js';
import type { Operation } from '../http/declaration.js';
import { defineOperation } from '../http/define-operation.js';
import { buildCreatedReply, buildEmptyReply, buildOkReply } from '../http/reply.js';
import { describeJsonBody } from '../http/request-body.js';
import {
  describeCreatedResponse,
  describeJsonResponse,
  createObjectSchema,
  createPageSchema,
  DELETED,
} from '../http/responses.js';
import { parsePageRequest, buildPage } from '../paging/pages.js';
import {
  findWebhook,
  insertWebhook,
  listWebhooks,
  removeWebhook,
  updateWebhook,
  buildWebhookResponse,
} from '../webhooks/webhook-repository.js';
import { generateWebhookSecret, encryptWebhookSecret } from '../webhooks/webhook-secret.js';

const SIGNED = `Quarry sends each event as a POST request with a \`WebhookEvent\` as its body, signed according to Standard Webhooks 1.0 (standardwebhooks.com):

- \`webhook-id\`: the id of the event, the same in every attempt. An event can arrive more than once, and events can arrive in any order.
- \`webhook-timestamp\`: the time of the attempt, in seconds since 1970. Refuse requests that are older than a few minutes.
- \`webhook-signature\`: \`v1,\` and the base64 of the HMAC-SHA256 of \`webhook-id.webhook-timestamp.body\`. The key is the base64 text after \`whsec_\` in the secret, decoded. For a day after a rotation of the secret, the header contains several signatures, separated by spaces. Accept a request if one of them is valid.

Respond with 2xx within 15 seconds. After any other outcome, redirects included, Quarry retries with increasing delays: 32 times, which takes at least about a day. The status 410 disables the webhook, and its waiting events fail.

At most 2 events are sent to a webhook at the same time, and 4 to all webhooks of an organization. After a failed attempt, Quarry pauses all events of the webhook, for 5 seconds at first and for an hour at most, and then tries one event at a time (\`failingSince\`, \`pausedUntil\`). When all attempts have failed for 5 days, Quarry disables the webhook (\`disabledReason\`). Waiting events are kept for 30 days, and are sent when the webhook is enabled again.`;

/** Lists the operations on webhooks. Webhooks receive the events of the whole organization, so limited API keys are refused. */
export const WEBHOOK_OPERATIONS: readonly Operation[] = [
  defineOperation({
    id: 'createWebhook',
    method: 'post',
    path: '/webhooks',
    tag: 'Webhooks',
    summary: 'Create a webhook',
    description: `The response contains the secret, which is not shown again.\n\n${SIGNED}`,
    scopes: ['manage'],
    refusesLimitedKeys: true,
    body: describeJsonBody(CreateWebhookRequest, {
      unknownFields: 'refuse',
      check: ({ url }, { allowLoopback }) => {
        requirePublicAddress('url', url, allowLoopback.webhooks);
      },
    }),
    idempotency: 'transaction',
    responses: { 201: describeCreatedResponse('The new webhook, with its secret.', CreatedWebhookResponse) },
    problems: ['too_many_webhooks'],
    handle: async ({ gateway: { secretCipher, clock }, caller: { organizationId }, body, runOnce }) =>
      runOnce(async (tx) => {
        const secret = generateWebhookSecret();
        const owner = { id: newId(), organizationId };
        const row = await insertWebhook(
          tx,
          { ...owner, encryptedSecret: encryptWebhookSecret(secretCipher, owner, secret) },
          body,
        );
        return buildCreatedReply(`/webhooks/${row.id}`, Object.assign(buildWebhookResponse(row, clock()), { secret }));
      }),
  }),

  defineOperation({
    id: 'listWebhooks',
    method: 'get',
    path: '/webhooks',
    tag: 'Webhooks',
    summary: 'List webhooks',
    description: 'Sorted by creation time, newest first.',
    scopes: ['manage'],
    refusesLimitedKeys: true,
    query: PageQuery,
    responses: { 200: describeJsonResponse('One page of webhooks.', createPageSchema(WebhookResponse)) },
    handle: async ({ gateway, caller, query }) => {
      const page = parsePageRequest(query);
      const rows = await listWebhooks(gateway.db, caller.organizationId, page);
      return buildOkReply(buildPage(rows, page, (row) => buildWebhookResponse(row, gateway.clock())));
    },
  }),

  defineOperation({
    id: 'getWebhook',
    method: 'get',
    path: '/webhooks/{id}',
    tag: 'Webhooks',
    summary: 'Get a webhook',
    description:
      'The field `lastDelivery` contains the outcome of the latest delivery attempt, and `waiting` the number of events that wait.',
    scopes: ['manage'],
    refusesLimitedKeys: true,
    params: { id: 'webhook' },
    responses: { 200: describeJsonResponse('The webhook.', createObjectSchema(WebhookResponse)) },
    handle: async ({ gateway, caller, params }) =>
      buildOkReply(
        buildWebhookResponse(await findWebhook(gateway.db, caller.organizationId, params.id), gateway.clock()),
      ),
  }),

  defineOperation({
    id: 'updateWebhook',
    method: 'patch',
    path: '/webhooks/{id}',
    tag: 'Webhooks',
    summary: 'Update a webhook',
    description:
      'Changes the fields in the body. Waiting events are sent to the new address. A new address, and the value true for `enabled`, end the pause of a failing webhook.',
    scopes: ['manage'],
    refusesLimitedKeys: true,
    params: { id: 'webhook' },
    body: describeJsonBody(UpdateWebhookRequest, {
      unknownFields: 'refuse',
      check: ({ url }, { allowLoopback }) => {
        requirePublicAddress('url', url ?? undefined, allowLoopback.webhooks);
      },
    }),
    responses: { 200: describeJsonResponse('The updated webhook.', createObjectSchema(WebhookResponse)) },
    find: async ({ gateway, caller, params }) => findWebhook(gateway.db, caller.organizationId, params.id),
    handle: async ({ gateway, caller, found: { id }, body }) => {
      const webhook = await updateWebhook(gateway.db, caller.organizationId, id, body);
      gateway.deliveriesDue.wake();
      return buildOkReply(buildWebhookResponse(webhook, gateway.clock()));
    },
  }),

  defineOperation({
    id: 'deleteWebhook',
    method: 'delete',
    path: '/webhooks/{id}',
    tag: 'Webhooks',
    summary: 'Delete a webhook',
    description: 'Deletes a webhook and its deliveries. It receives no further events.',
    scopes: ['manage'],
    refusesLimitedKeys: true,
    params: { id: 'webhook' },
    responses: { 204: DELETED },
    handle: async ({ gateway, caller, params }) => {
      await removeWebhook(gateway.db, caller.organizationId, params.id);
      return buildEmptyReply();
    },
  }),
];
