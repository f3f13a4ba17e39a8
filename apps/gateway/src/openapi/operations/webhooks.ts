import {
  CreatedWebhookResponse,
  CreateWebhookRequest,
  PageQuery,
  UpdateWebhookRequest,
  WebhookResponse,
} from '@quarry/contracts';
import { json, made, one, pageOf, REMOVED } from '../answers.js';
import type { Operation } from '../operation.js';

const SIGNED = `Events are sent by POST as a \`WebhookEvent\`, signed as Standard Webhooks 1.0 (standardwebhooks.com) has it:

- \`webhook-id\`: names the event, the same in every try. Events may come twice and in any order.
- \`webhook-timestamp\`: seconds since 1970. Refuse what is older than some minutes.
- \`webhook-signature\`: \`v1,\` and in base64 the HMAC-SHA256 of \`webhook-id.webhook-timestamp.body\`, with the key that stands in base64 behind \`whsec_\` in the secret.

Answer with 2xx within 15 seconds. Anything else, redirects included, is tried again with growing waits for about a day; 410 switches the webhook off.`;

/** Who is told of what happens. */
export const WEBHOOK_OPERATIONS: readonly Operation[] = [
  {
    id: 'createWebhook',
    method: 'post',
    path: '/webhooks',
    tag: 'Webhooks',
    summary: 'Make a webhook',
    description: `Its secret is shown this once.\n\n${SIGNED}`,
    scopes: ['manage'],
    body: { json: { shapes: [CreateWebhookRequest], unknownFields: 'refuse' } },
    once: true,
    answers: { 201: made('The webhook, and its secret.', CreatedWebhookResponse) },
    problems: ['key_limited', 'too_many_webhooks'],
  },
  {
    id: 'listWebhooks',
    method: 'get',
    path: '/webhooks',
    tag: 'Webhooks',
    summary: 'List webhooks',
    description: 'Newest first.',
    scopes: ['manage'],
    query: PageQuery,
    answers: { 200: json('A part of the list.', pageOf(WebhookResponse)) },
    problems: ['key_limited'],
  },
  {
    id: 'getWebhook',
    method: 'get',
    path: '/webhooks/{id}',
    tag: 'Webhooks',
    summary: 'Show a webhook',
    description: 'With how the latest try to send it something went.',
    scopes: ['manage'],
    answers: { 200: json('The webhook.', one(WebhookResponse)) },
    problems: ['key_limited'],
  },
  {
    id: 'updateWebhook',
    method: 'patch',
    path: '/webhooks/{id}',
    tag: 'Webhooks',
    summary: 'Change a webhook',
    description: 'What is absent stays as it is. What waits to be sent goes to the address that it has by then.',
    scopes: ['manage'],
    body: { json: { shapes: [UpdateWebhookRequest], unknownFields: 'refuse' } },
    answers: { 200: json('The webhook as it is now.', one(WebhookResponse)) },
    problems: ['key_limited'],
  },
  {
    id: 'deleteWebhook',
    method: 'delete',
    path: '/webhooks/{id}',
    tag: 'Webhooks',
    summary: 'Remove a webhook',
    scopes: ['manage'],
    answers: { 204: REMOVED },
    problems: ['key_limited'],
  },
];
