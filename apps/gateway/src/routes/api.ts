import { Router } from 'express';
import type { Gateway } from '../gateway.js';
import { refuseOtherMethods } from '../http/refuse-other-methods.js';
import { translateErrors } from '../http/translate-errors.js';
import { OPERATIONS } from '../openapi/operations.js';
import { authenticate } from '../keys/authenticate.js';
import { limitRequests } from '../rate-limit/limit-requests.js';
import { agentRoutes } from './agents.js';
import { apiKeyRoutes } from './api-keys.js';
import { allowOtherOrigins } from '../http/cors.js';
import { conversationRoutes } from './conversations.js';
import { createDatasourceRoutes } from './create-datasource.js';
import { datasourceContentRoutes } from './datasource-contents.js';
import { datasourceRoutes } from './datasources.js';
import { datastoreRoutes } from './datastores.js';
import { fileUploadRoutes } from './file-upload.js';
import { meRoutes } from './me.js';
import { organizationRoutes } from './organizations.js';
import { queryAgentRoutes } from './query-agent.js';
import { queryDatastoreRoutes } from './query-datastore.js';
import { upsertRoutes } from './upsert.js';
import { usageRoutes } from './usage.js';
import { webhookRoutes } from './webhooks.js';

/** Everything below `/api`. Each request has a key; each route asks for its scope. */
export function apiRoutes(gateway: Gateway): Router {
  const api = Router();
  api.use(['/agents/:id/query', '/datastores/:id/query'], allowOtherOrigins);
  api.use(authenticate(gateway));
  api.use(limitRequests(gateway));
  api.use(queryAgentRoutes(gateway));
  api.use(queryDatastoreRoutes(gateway));
  api.use(upsertRoutes(gateway));
  api.use(createDatasourceRoutes(gateway));
  api.use(fileUploadRoutes(gateway));
  api.use(datastoreRoutes(gateway));
  api.use(agentRoutes(gateway));
  api.use(conversationRoutes(gateway));
  api.use(datasourceRoutes(gateway));
  api.use(datasourceContentRoutes(gateway));
  api.use(meRoutes(gateway));
  api.use(apiKeyRoutes(gateway));
  api.use(usageRoutes(gateway));
  api.use(webhookRoutes(gateway));
  api.use(organizationRoutes(gateway));
  api.use(refuseOtherMethods(OPERATIONS));
  api.use(translateErrors);
  return api;
}
