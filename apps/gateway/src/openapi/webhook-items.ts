import { WebhookEvent } from '@quarry/contracts';
import type { JsonSchema } from '@quarry/validation';
import type { Components } from './components.js';

/** Builds the OpenAPI Path Items of the requests that Quarry sends to webhooks. */
export function buildWebhookItems(components: Components): JsonSchema {
  const buildHeader = (name: string, description: string): JsonSchema => ({
    name,
    in: 'header',
    required: true,
    description,
    schema: { type: 'string' },
  });
  return {
    datasourceSettled: {
      post: {
        tags: ['Webhooks'],
        summary: 'A run of a datasource has ended',
        parameters: [
          buildHeader('webhook-id', 'The id of the event, the same in every attempt.'),
          buildHeader('webhook-timestamp', 'The time of the attempt, in seconds since 1970.'),
          buildHeader('webhook-signature', '`v1,` and the signature in base64: see `createWebhook`.'),
        ],
        requestBody: {
          required: true,
          content: { 'application/json': { schema: components.createRefTo('ignore')(WebhookEvent) } },
        },
        responses: { '2XX': { description: 'Accepted. After any other status, Quarry retries.' } },
      },
    },
  };
}
