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
    deleteAgent: async (id, { signal } = {}) => remove('deleteAgent', { path: { id }, signal }),

    listConversations: async (query = {}, { signal } = {}) => ask('listConversations', { query, signal }),
    getConversation: async (id, { signal } = {}) => ask('getConversation', { path: { id }, signal }),
    listMessages: async (id, query = {}, { signal } = {}) => ask('listMessages', { path: { id }, query, signal }),
    deleteConversation: async (id, { signal } = {}) => remove('deleteConversation', { path: { id }, signal }),

    getMe: async ({ signal } = {}) => ask('getMe', { signal }),
    createApiKey: async (json, options = {}) => ask('createApiKey', { json, ...options }),
    listApiKeys: async (query = {}, { signal } = {}) => ask('listApiKeys', { query, signal }),
    getApiKey: async (id, { signal } = {}) => ask('getApiKey', { path: { id }, signal }),
    updateApiKey: async (id, json, { signal } = {}) => ask('updateApiKey', { path: { id }, json, signal }),
    revokeApiKey: async (id, { signal } = {}) => remove('revokeApiKey', { path: { id }, signal }),

    getUsage: async ({ signal } = {}) => ask('getUsage', { signal }),
    createWebhook: async (json, options = {}) => ask('createWebhook', { json, ...options }),
    listWebhooks: async (query = {}, { signal } = {}) => ask('listWebhooks', { query, signal }),
    getWebhook: async (id, { signal } = {}) => ask('getWebhook', { path: { id }, signal }),
    updateWebhook: async (id, json, { signal } = {}) => ask('updateWebhook', { path: { id }, json, signal }),
    deleteWebhook: async (id, { signal } = {}) => remove('deleteWebhook', { path: { id }, signal }),

    createOrganization: async (json, options = {}) => ask('createOrganization', { json, ...options }),
    listOrganizations: async (query = {}, { signal } = {}) => ask('listOrganizations', { query, signal }),
    getOrganization: async (id, { signal } = {}) => ask('getOrganization', { path: { id }, signal }),
    getOrganizationUsage: async (id, { signal } = {}) => ask('getOrganizationUsage', { path: { id }, signal }),
    updateOrganization: async (id, json, { signal } = {}) => ask('updateOrganization', { path: { id }, json, signal }),
    deleteOrganization: async (id, { signal } = {}) => remove('deleteOrganization', { path: { id }, signal }),
  };
}
