import { WebhookEvent, WebhookTestEvent } from '@quarry/contracts';
import type { JsonSchema, Shape } from '@quarry/validation';
import { WEBHOOK_TAG } from './tags.js';
import type { Components } from './components.js';

/** Builds the OpenAPI Path Items of the requests that Quarry sends to webhooks. */
export function buildWebhookPathItems(components: Components): JsonSchema {
  const buildHeaderParameter = (name: string, description: string): JsonSchema => ({
    name,
    in: 'header',
    required: true,
    description,
    schema: { type: 'string' },
  });
  const buildPathItem = (operationId: string, summary: string, event: Shape<object>, rejected: string): JsonSchema => ({
    post: {
      operationId,
      tags: [WEBHOOK_TAG],
      summary,
      parameters: [
        buildHeaderParameter('webhook-id', 'The id of the event, the same in every attempt.'),
        buildHeaderParameter('webhook-timestamp', 'The time of the attempt, in seconds since 1970.'),
        buildHeaderParameter(
          'webhook-signature',
          '`v1,` and the signature in base64: see `createWebhook`. After a rotation of the secret, several of them, separated by spaces.',
        ),
      ],
      requestBody: {
        required: true,
        content: { 'application/json': { schema: components.createRefTo('ignore')(event) } },
      },
      security: [],
      responses: { '2XX': { description: `Accepted. ${rejected}` } },
    },
  });
  return {
    datasourceSettled: buildPathItem(
      'receiveDatasourceSettled',
      'A run of a datasource has ended',
      WebhookEvent,
      'After any other status, Quarry retries.',
    ),
    webhookTest: buildPathItem(
      'receiveWebhookTest',
      'A test was requested',
      WebhookTestEvent,
      'After any other status, Quarry does not retry.',
    ),
  };
}
