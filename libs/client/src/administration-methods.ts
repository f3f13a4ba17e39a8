import type { Connection } from './connection.js';
import type { AdministrationMethods } from './quarry-client.js';
import { createRequests } from './requests.js';

export function createAdministrationMethods(connection: Connection): AdministrationMethods {
  const { ask, remove } = createRequests(connection);
  return {
    createAgent: async (json, options = {}) => ask('createAgent', { json, ...options }),
    listAgents: async (query = {}, { signal } = {}) => ask('listAgents', { query, signal }),
    getAgent: async (id, { signal } = {}) => ask('getAgent', { path: { id }, signal }),
    updateAgent: async (id, json, { signal } = {}) => ask('updateAgent', { path: { id }, json, signal }),
    previewPrompt: async (id, json, { signal } = {}) => ask('previewPrompt', { path: { id }, json, signal }),
    deleteAgent: async (id, { signal } = {}) => remove('deleteAgent', { path: { id }, signal }),

    listConversations: async (query = {}, { signal } = {}) => ask('listConversations', { query, signal }),
    getConversation: async (id, { signal } = {}) => ask('getConversation', { path: { id }, signal }),
    listMessages: async (id, query = {}, { signal } = {}) => ask('listMessages', { path: { id }, query, signal }),
    deleteConversation: async (id, { signal } = {}) => remove('deleteConversation', { path: { id }, signal }),
    setFeedback: async (id, messageId, json, { signal } = {}) =>
      ask('setFeedback', { path: { id, messageId }, json, signal }),
    deleteFeedback: async (id, messageId, { signal } = {}) =>
      remove('deleteFeedback', { path: { id, messageId }, signal }),

    getMe: async ({ signal } = {}) => ask('getMe', { signal }),
    startSession: async (json, { signal } = {}) => ask('startSession', { json, signal }),
    getSession: async ({ signal } = {}) => ask('getSession', { signal }),
    endSession: async ({ signal } = {}) => remove('endSession', { signal }),
    createSignInCode: async ({ signal } = {}) => ask('createSignInCode', { signal }),
    createApiKey: async (json, options = {}) => ask('createApiKey', { json, ...options }),
    listApiKeys: async (query = {}, { signal } = {}) => ask('listApiKeys', { query, signal }),
    getApiKey: async (id, { signal } = {}) => ask('getApiKey', { path: { id }, signal }),
    updateApiKey: async (id, json, { signal } = {}) => ask('updateApiKey', { path: { id }, json, signal }),
    revokeApiKey: async (id, { signal } = {}) => remove('revokeApiKey', { path: { id }, signal }),

    getUsage: async ({ signal } = {}) => ask('getUsage', { signal }),
    getDailyUsage: async (query = {}, { signal } = {}) => ask('getDailyUsage', { query, signal }),
    createWebhook: async (json, options = {}) => ask('createWebhook', { json, ...options }),
    listWebhooks: async (query = {}, { signal } = {}) => ask('listWebhooks', { query, signal }),
    getWebhook: async (id, { signal } = {}) => ask('getWebhook', { path: { id }, signal }),
    updateWebhook: async (id, json, { signal } = {}) => ask('updateWebhook', { path: { id }, json, signal }),
    deleteWebhook: async (id, { signal } = {}) => remove('deleteWebhook', { path: { id }, signal }),
    listWebhookDeliveries: async (id, query = {}, { signal } = {}) =>
      ask('listWebhookDeliveries', { path: { id }, query, signal }),
    getWebhookDelivery: async (id, deliveryId, { signal } = {}) =>
      ask('getWebhookDelivery', { path: { id, deliveryId }, signal }),
    resendWebhookDelivery: async (id, deliveryId, options = {}) =>
      ask('resendWebhookDelivery', { path: { id, deliveryId }, ...options }),
    resendWebhookDeliveries: async (id, json, options = {}) =>
      ask('resendWebhookDeliveries', { path: { id }, json, ...options }),
    testWebhook: async (id, options = {}) => ask('testWebhook', { path: { id }, ...options }),
    rotateWebhookSecret: async (id, query = {}, options = {}) =>
      ask('rotateWebhookSecret', { path: { id }, query, ...options }),

    createOrganization: async (json, options = {}) => ask('createOrganization', { json, ...options }),
    listOrganizations: async (query = {}, { signal } = {}) => ask('listOrganizations', { query, signal }),
    getOrganization: async (id, { signal } = {}) => ask('getOrganization', { path: { id }, signal }),
    getOrganizationUsage: async (id, { signal } = {}) => ask('getOrganizationUsage', { path: { id }, signal }),
    getOrganizationDailyUsage: async (id, query = {}, { signal } = {}) =>
      ask('getOrganizationDailyUsage', { path: { id }, query, signal }),
    updateOrganization: async (id, json, { signal } = {}) => ask('updateOrganization', { path: { id }, json, signal }),
    deleteOrganization: async (id, { signal } = {}) => remove('deleteOrganization', { path: { id }, signal }),

    ...createModelMethods(connection),
    getSystem: async ({ signal } = {}) => ask('getSystem', { signal }),
  };
}

type ModelMethods = Pick<
  AdministrationMethods,
  'getModelConnections' | 'setModelConnection' | 'deleteModelConnection' | 'testModelConnection' | 'findLocalModels'
>;

function createModelMethods(connection: Connection): ModelMethods {
  const { ask, remove } = createRequests(connection);
  return {
    getModelConnections: async ({ signal } = {}) => ask('getModelConnections', { signal }),
    setModelConnection: async (provider, json, { signal } = {}) =>
      ask('setModelConnection', { path: { provider }, json, signal }),
    deleteModelConnection: async (provider, { signal } = {}) =>
      remove('deleteModelConnection', { path: { provider }, signal }),
    testModelConnection: async (provider, json, { signal } = {}) =>
      ask('testModelConnection', { path: { provider }, json, signal }),
    findLocalModels: async ({ signal } = {}) => ask('findLocalModels', { signal }),
  };
}
