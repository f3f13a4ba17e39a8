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
import { operation } from '../http/operation.js';
import { created, noContent, ok } from '../http/reply.js';
import { json } from '../http/request-body.js';
import { createdResponse, jsonResponse, one, pageOf, REMOVED } from '../http/responses.js';
import { pageRequest, toPage } from '../paging/pages.js';
import {
  findWebhook,
  insertWebhook,
  listWebhooks,
  removeWebhook,
  updateWebhook,
  viewWebhook,
} from '../webhooks/webhook-repository.js';
import { newWebhookSecret, encryptSecret } from '../webhooks/webhook-secret.js';

const SIGNED = `Events are sent by POST as a \`WebhookEvent\`, signed as Standard Webhooks 1.0 (standardwebhooks.com) has it:

- \`webhook-id\`: names the event, the same in every try. Events may come twice and in any order.
- \`webhook-timestamp\`: seconds since 1970. Refuse what is older than some minutes.
- \`webhook-signature\`: \`v1,\` and in base64 the HMAC-SHA256 of \`webhook-id.webhook-timestamp.body\`, with the key that stands in base64 behind \`whsec_\` in the secret.

Answer with 2xx within 15 seconds. Anything else, redirects included, is tried again with growing waits for about a day; 410 switches the webhook off.`;

/** Webhooks receive the events of the whole organization, so limited keys have none. */
export const WEBHOOK_OPERATIONS: readonly Operation[] = [
  operation({
    id: 'createWebhook',
    method: 'post',
    path: '/webhooks',
    tag: 'Webhooks',
    summary: 'Make a webhook',
    description: `Its secret is shown this once.\n\n${SIGNED}`,
    scopes: ['manage'],
    refusesLimitedKeys: true,
    body: json(CreateWebhookRequest, {
      unknownFields: 'refuse',
      check: ({ url }, { allowLoopback }) => {
        requirePublicAddress('url', url, allowLoopback.webhooks);
      },
    }),
    idempotency: 'transaction',
    responses: { 201: createdResponse('The webhook, and its secret.', CreatedWebhookResponse) },
    problems: ['too_many_webhooks'],
    handle: async ({ gateway: { secretCipher }, caller: { organizationId }, body, once }) =>
      once(async (tx) => {
        const secret = newWebhookSecret();
        const owner = { id: newId(), organizationId };
        const row = await insertWebhook(
          tx,
          { ...owner, encryptedSecret: encryptSecret(secretCipher, owner, secret) },
          body,
        );
        return created(`/webhooks/${row.id}`, Object.assign(viewWebhook(row), { secret }));
      }),
  }),

  operation({
    id: 'listWebhooks',
    method: 'get',
    path: '/webhooks',
    tag: 'Webhooks',
    summary: 'List webhooks',
    description: 'Newest first.',
    scopes: ['manage'],
    refusesLimitedKeys: true,
    query: PageQuery,
    responses: { 200: jsonResponse('A part of the list.', pageOf(WebhookResponse)) },
    handle: async ({ gateway, caller, query }) => {
      const page = pageRequest(query);
      return ok(toPage(await listWebhooks(gateway.db, caller.organizationId, page), page, viewWebhook));
    },
  }),

  operation({
    id: 'getWebhook',
    method: 'get',
    path: '/webhooks/{id}',
    tag: 'Webhooks',
    summary: 'Show a webhook',
    description: 'With how the latest try to send it something went.',
    scopes: ['manage'],
    refusesLimitedKeys: true,
    params: { id: 'webhook' },
    responses: { 200: jsonResponse('The webhook.', one(WebhookResponse)) },
    handle: async ({ gateway, caller, params }) =>
      ok(viewWebhook(await findWebhook(gateway.db, caller.organizationId, params.id))),
  }),

  operation({
    id: 'updateWebhook',
    method: 'patch',
    path: '/webhooks/{id}',
    tag: 'Webhooks',
    summary: 'Change a webhook',
    description: 'What is absent stays as it is. What waits to be sent goes to the address that it has by then.',
    scopes: ['manage'],
    refusesLimitedKeys: true,
    params: { id: 'webhook' },
    body: json(UpdateWebhookRequest, {
      unknownFields: 'refuse',
      check: ({ url }, { allowLoopback }) => {
        requirePublicAddress('url', url ?? undefined, allowLoopback.webhooks);
      },
    }),
    responses: { 200: jsonResponse('The webhook as it is now.', one(WebhookResponse)) },
    find: async ({ gateway, caller, params }) => findWebhook(gateway.db, caller.organizationId, params.id),
    handle: async ({ gateway, caller, found: { id }, body }) =>
      ok(viewWebhook(await updateWebhook(gateway.db, caller.organizationId, id, body))),
  }),

  operation({
    id: 'deleteWebhook',
    method: 'delete',
    path: '/webhooks/{id}',
    tag: 'Webhooks',
    summary: 'Remove a webhook',
    scopes: ['manage'],
    refusesLimitedKeys: true,
    params: { id: 'webhook' },
    responses: { 204: REMOVED },
    handle: async ({ gateway, caller, params }) => {
      await removeWebhook(gateway.db, caller.organizationId, params.id);
      return noContent();
    },
  }),
];
