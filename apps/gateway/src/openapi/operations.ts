import type { Operation } from './operation.js';
import { AGENT_OPERATIONS } from './operations/agents.js';
import { API_KEY_OPERATIONS } from './operations/api-keys.js';
import { CONTENT_OPERATIONS } from './operations/content.js';
import { CONVERSATION_OPERATIONS } from './operations/conversations.js';
import { DATASOURCE_OPERATIONS } from './operations/datasources.js';
import { DATASTORE_OPERATIONS } from './operations/datastores.js';
import { ME_OPERATIONS } from './operations/me.js';
import { ORGANIZATION_OPERATIONS } from './operations/organizations.js';
import { QUERY_OPERATIONS } from './operations/queries.js';
import { SERVICE_OPERATIONS } from './operations/service.js';
import { USAGE_OPERATIONS } from './operations/usage.js';
import { WEBHOOK_OPERATIONS } from './operations/webhooks.js';

/** All there is to ask of the gateway, in the order of the document. */
export const OPERATIONS: readonly Operation[] = [
  ...QUERY_OPERATIONS,
  ...CONTENT_OPERATIONS,
  ...DATASTORE_OPERATIONS,
  ...DATASOURCE_OPERATIONS,
  ...AGENT_OPERATIONS,
  ...CONVERSATION_OPERATIONS,
  ...ME_OPERATIONS,
  ...API_KEY_OPERATIONS,
  ...USAGE_OPERATIONS,
  ...WEBHOOK_OPERATIONS,
  ...ORGANIZATION_OPERATIONS,
  ...SERVICE_OPERATIONS,
];
