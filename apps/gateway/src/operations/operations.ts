import type { Operation, PublicOperation } from '../http/declaration.js';
import { AGENT_OPERATIONS } from './agents.js';
import { ANSWER_STREAM_OPERATIONS } from './answer-streams.js';
import { API_KEY_OPERATIONS } from './api-keys.js';
import { CONTENT_OPERATIONS } from './content.js';
import { CONVERSATION_OPERATIONS } from './conversations.js';
import { DATASOURCE_OPERATIONS } from './datasources.js';
import { DATASTORE_OPERATIONS } from './datastores.js';
import { EVALUATION_OPERATIONS } from './evaluations.js';
import { ME_OPERATIONS } from './me.js';
import { ORGANIZATION_OPERATIONS } from './organizations.js';
import { QUERY_OPERATIONS } from './queries.js';
import { PUBLIC_SESSION_OPERATIONS, SESSION_OPERATIONS } from './sessions.js';
import { MODEL_CONNECTION_OPERATIONS } from './model-connections.js';
import { SYSTEM_OPERATIONS } from './system.js';
import { USAGE_OPERATIONS } from './usage.js';
import { WEBHOOK_DELIVERY_OPERATIONS } from './webhook-deliveries.js';
import { WEBHOOK_OPERATIONS } from './webhooks.js';

/**
 * Lists every operation below `/api` that needs a key, in the order of the OpenAPI document. If the paths of two
 * operations match a request, the first operation handles it.
 */
export const OPERATIONS: readonly Operation[] = [
  ...QUERY_OPERATIONS,
  ...CONTENT_OPERATIONS,
  ...DATASTORE_OPERATIONS,
  ...DATASOURCE_OPERATIONS,
  ...AGENT_OPERATIONS,
  ...CONVERSATION_OPERATIONS,
  ...ANSWER_STREAM_OPERATIONS,
  ...ME_OPERATIONS,
  ...SESSION_OPERATIONS,
  ...API_KEY_OPERATIONS,
  ...USAGE_OPERATIONS,
  ...WEBHOOK_OPERATIONS,
  ...WEBHOOK_DELIVERY_OPERATIONS,
  ...EVALUATION_OPERATIONS,
  ...ORGANIZATION_OPERATIONS,
  ...MODEL_CONNECTION_OPERATIONS,
  ...SYSTEM_OPERATIONS,
];

/** Lists the operations below `/api` that need no key. */
export const PUBLIC_OPERATIONS: readonly PublicOperation[] = PUBLIC_SESSION_OPERATIONS;
