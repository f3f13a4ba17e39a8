import type { JsonSchema } from '@quarry/validation';
import type { RouteDescription, Tag } from '../http/declaration.js';

/**
 * The tag of the requests that Quarry sends to webhooks. No operation has this tag: code generators build one class per
 * tag, and would mix these requests with the operations that clients call.
 */
export const WEBHOOK_TAG = 'Webhook events';

const DESCRIPTIONS: Readonly<Record<Tag, string>> = {
  Queries: 'Search datastores, and ask agents.',
  Content: 'Add files, texts, web pages and web sites to a datastore.',
  Datastores: 'Manage datastores, which hold searchable content.',
  Datasources: 'Inspect, synchronize and delete the content of datastores.',
  Agents: 'Manage agents, which answer questions from datastores.',
  Conversations: 'Read the conversations with agents, and rate their answers.',
  'API keys': 'Manage the API keys of the organization.',
  Sessions: 'Sign a browser in and out.',
  Organizations: 'Manage organizations and their limits.',
  Usage: 'Read how much the organization uses.',
  Webhooks: 'Manage the receivers of events, and inspect deliveries.',
  Evaluations: 'Measure the quality of search and answers with questions.',
  Models: 'Connect language models.',
  'OpenAI-compatible': 'Use Quarry with clients of the OpenAI API.',
  Service: 'Monitor the service.',
};

/** Builds the OpenAPI Tag Objects of the given routes and of the webhooks. */
export function buildTags(operations: readonly RouteDescription[]): JsonSchema[] {
  const used = [...new Set(operations.map(({ tag }) => tag))];
  return [
    ...used.map((name) => ({ name, description: DESCRIPTIONS[name] })),
    { name: WEBHOOK_TAG, description: 'The requests that Quarry sends to webhooks.' },
  ];
}
