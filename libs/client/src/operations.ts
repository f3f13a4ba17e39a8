import type { operations } from './generated/schema.js';

/** Describes the route of an operation. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  /** Marks operations that are safe to repeat. */
  readonly repeatable: boolean;
  /** Marks operations that create a resource, at most once for each `Idempotency-Key`. */
  readonly once?: true;
}

export const ROUTES = {
  queryAgent: { method: 'POST', path: '/agents/{id}/query', repeatable: false },
  queryDatastore: { method: 'POST', path: '/datastores/{id}/query', repeatable: true },
  upsertDocuments: { method: 'POST', path: '/datastores/upsert/{datastoreId}', repeatable: true, once: true },
  createDatasource: { method: 'POST', path: '/datasources', repeatable: true, once: true },
  uploadFile: { method: 'POST', path: '/external/datastores/file-upload/{datastoreId}', repeatable: true, once: true },
  createDatastore: { method: 'POST', path: '/datastores', repeatable: true, once: true },
  listDatastores: { method: 'GET', path: '/datastores', repeatable: true },
  getDatastore: { method: 'GET', path: '/datastores/{id}', repeatable: true },
  updateDatastore: { method: 'PATCH', path: '/datastores/{id}', repeatable: true },
  deleteDatastore: { method: 'DELETE', path: '/datastores/{id}', repeatable: true },
  listDatasources: { method: 'GET', path: '/datasources', repeatable: true },
  getDatasource: { method: 'GET', path: '/datasources/{id}', repeatable: true },
  updateDatasource: { method: 'PATCH', path: '/datasources/{id}', repeatable: true },
  listDocuments: { method: 'GET', path: '/datasources/{id}/documents', repeatable: true },
  listRuns: { method: 'GET', path: '/datasources/{id}/runs', repeatable: true },
  cancelDatasource: { method: 'POST', path: '/datasources/{id}/cancel', repeatable: false },
  syncDatasource: { method: 'POST', path: '/datasources/{id}/sync', repeatable: false },
  deleteDatasource: { method: 'DELETE', path: '/datasources/{id}', repeatable: true },
  createAgent: { method: 'POST', path: '/agents', repeatable: true, once: true },
  listAgents: { method: 'GET', path: '/agents', repeatable: true },
  getAgent: { method: 'GET', path: '/agents/{id}', repeatable: true },
  updateAgent: { method: 'PATCH', path: '/agents/{id}', repeatable: true },
  deleteAgent: { method: 'DELETE', path: '/agents/{id}', repeatable: true },
  listConversations: { method: 'GET', path: '/conversations', repeatable: true },
  getConversation: { method: 'GET', path: '/conversations/{id}', repeatable: true },
  deleteConversation: { method: 'DELETE', path: '/conversations/{id}', repeatable: true },
  listMessages: { method: 'GET', path: '/conversations/{id}/messages', repeatable: true },
  getMe: { method: 'GET', path: '/me', repeatable: true },
  createApiKey: { method: 'POST', path: '/api-keys', repeatable: true, once: true },
  listApiKeys: { method: 'GET', path: '/api-keys', repeatable: true },
  getApiKey: { method: 'GET', path: '/api-keys/{id}', repeatable: true },
  updateApiKey: { method: 'PATCH', path: '/api-keys/{id}', repeatable: true },
  revokeApiKey: { method: 'DELETE', path: '/api-keys/{id}', repeatable: true },
  getUsage: { method: 'GET', path: '/usage', repeatable: true },
  createWebhook: { method: 'POST', path: '/webhooks', repeatable: true, once: true },
  listWebhooks: { method: 'GET', path: '/webhooks', repeatable: true },
  getWebhook: { method: 'GET', path: '/webhooks/{id}', repeatable: true },
  updateWebhook: { method: 'PATCH', path: '/webhooks/{id}', repeatable: true },
  deleteWebhook: { method: 'DELETE', path: '/webhooks/{id}', repeatable: true },
  createOrganization: { method: 'POST', path: '/organizations', repeatable: true, once: true },
  listOrganizations: { method: 'GET', path: '/organizations', repeatable: true },
  getOrganization: { method: 'GET', path: '/organizations/{id}', repeatable: true },
  getOrganizationUsage: { method: 'GET', path: '/organizations/{id}/usage', repeatable: true },
  updateOrganization: { method: 'PATCH', path: '/organizations/{id}', repeatable: true },
  deleteOrganization: { method: 'DELETE', path: '/organizations/{id}', repeatable: true },
} as const satisfies { readonly [Id in keyof operations]?: Route };

export type OperationId = keyof typeof ROUTES;

/** Selects the type of the successful response. */
export type AnswerOf<Id extends OperationId> = Json<Succeeded<operations[Id]['responses']>>;
export type QueryOf<Id extends OperationId> = NonNullable<operations[Id]['parameters']['query']>;
export type PathOf<Id extends OperationId> = operations[Id]['parameters']['path'];
export type JsonBodyOf<Id extends OperationId> = operations[Id] extends {
  readonly requestBody: { readonly content: { readonly 'application/json': infer Body } };
}
  ? Body
  : never;

type Succeeded<Responses> = Responses[Extract<keyof Responses, 200 | 201>];
type Json<Response> = Response extends { readonly content: { readonly 'application/json': infer Body } } ? Body : never;
