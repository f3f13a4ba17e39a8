import { WebhookEvent } from '@quarry/contracts';
import type { JsonSchema } from '@quarry/validation';
import type { Components } from './components.js';

/** OpenAPI's description of what Quarry itself sends. */
export function webhookItems(components: Components): JsonSchema {
  const header = (name: string, description: string): JsonSchema => ({
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
          header('webhook-id', 'Names the event, the same in every try.'),
          header('webhook-timestamp', 'When it was sent, in seconds since 1970.'),
          header('webhook-signature', '`v1,` and the signature in base64: see `createWebhook`.'),
        ],
        requestBody: {
          required: true,
          content: { 'application/json': { schema: components.refTo('ignore')(WebhookEvent) } },
        },
        responses: { '2XX': { description: 'It was taken. Anything else is tried again.' } },
      },
    },
  };
}
