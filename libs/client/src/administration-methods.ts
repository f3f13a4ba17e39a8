import type { Connection } from './connection.js';
import { createRequestMethods } from './requests.js';
import type { List } from './paged-list.js';
import type { CallOptions, CreateOptions } from './call-options.js';
import type { AnswerOf, JsonBodyOf, QueryOf } from './operation-types.js';
import type * as Types from './types.js';

/**
 * Provides the operations on agents, conversations, sessions, API keys, usage, webhooks, organizations and model
 * connections.
 */
export interface AdministrationMethods {
  createAgent(request: Types.CreateAgentRequest, options?: CreateOptions): Promise<Types.Agent>;
  listAgents(query?: QueryOf<'listAgents'>, options?: CallOptions): List<AnswerOf<'listAgents'>>;
  getAgent(id: string, options?: CallOptions): Promise<Types.Agent>;
  updateAgent(id: string, change: Types.UpdateAgentRequest, options?: CallOptions): Promise<Types.Agent>;
  /** Returns the prompt that the agent would send to its model for a question. Does not call the model. */
  previewPrompt(id: string, request: Types.PromptPreviewRequest, options?: CallOptions): Promise<Types.PromptPreview>;
  deleteAgent(id: string, options?: CallOptions): Promise<void>;

  listConversations(query?: QueryOf<'listConversations'>, options?: CallOptions): List<AnswerOf<'listConversations'>>;
  getConversation(id: string, options?: CallOptions): Promise<Types.Conversation>;
  /** Lists the messages of a conversation, oldest first. */
  listMessages(id: string, query?: QueryOf<'listMessages'>, options?: CallOptions): List<AnswerOf<'listMessages'>>;
  deleteConversation(id: string, options?: CallOptions): Promise<void>;
  /** Rates an answer. The feedback replaces earlier feedback on the same answer. */
  setFeedback(
    id: string,
    messageId: string,
    feedback: Types.SetFeedbackRequest,
    options?: CallOptions,
  ): Promise<Types.MessageFeedback>;
  deleteFeedback(id: string, messageId: string, options?: CallOptions): Promise<void>;

  /** Returns the properties of this client's API key, and the organization of the key. */
  getMe(options?: CallOptions): Promise<Types.Me>;

  /** Starts a session with an API key or a one-time code. The browser stores the cookie of the session. */
  startSession(request: JsonBodyOf<'startSession'>, options?: CallOptions): Promise<Types.Session>;
  /** Returns the current session of the browser, with its API key and organization. */
  getSession(options?: CallOptions): Promise<Types.Session>;
  /** Ends the current session of the browser. */
  endSession(options?: CallOptions): Promise<void>;
  /**
   * Creates a one-time code. A browser that starts a session with the code receives the permissions of this client's
   * API key.
   */
  createSignInCode(options?: CallOptions): Promise<AnswerOf<'createSignInCode'>>;

  /** Creates an API key. Only this response contains the key itself. */
  createApiKey(request: Types.CreateApiKeyRequest, options?: CreateOptions): Promise<AnswerOf<'createApiKey'>>;
  listApiKeys(query?: QueryOf<'listApiKeys'>, options?: CallOptions): List<AnswerOf<'listApiKeys'>>;
  getApiKey(id: string, options?: CallOptions): Promise<Types.ApiKey>;
  updateApiKey(id: string, change: JsonBodyOf<'updateApiKey'>, options?: CallOptions): Promise<Types.ApiKey>;
  revokeApiKey(id: string, options?: CallOptions): Promise<void>;

  /** Returns the organization's number of queries in the current month, and its number of stored tokens. */
  getUsage(options?: CallOptions): Promise<Types.Usage>;
  /** Returns the organization's usage per day in UTC, by default for the last 30 days. */
  getDailyUsage(query?: QueryOf<'getDailyUsage'>, options?: CallOptions): Promise<Types.UsageDays>;

  /** Creates a webhook. Only this response contains the secret for verifying signatures. */
  createWebhook(request: JsonBodyOf<'createWebhook'>, options?: CreateOptions): Promise<AnswerOf<'createWebhook'>>;
  listWebhooks(query?: QueryOf<'listWebhooks'>, options?: CallOptions): List<AnswerOf<'listWebhooks'>>;
  getWebhook(id: string, options?: CallOptions): Promise<Types.Webhook>;
  updateWebhook(id: string, change: JsonBodyOf<'updateWebhook'>, options?: CallOptions): Promise<Types.Webhook>;
  deleteWebhook(id: string, options?: CallOptions): Promise<void>;
  /**
   * Lists the deliveries of a webhook, newest first. A delivery contains an event and the latest attempts to send it.
   */
  listWebhookDeliveries(
    id: string,
    query?: QueryOf<'listWebhookDeliveries'>,
    options?: CallOptions,
  ): List<AnswerOf<'listWebhookDeliveries'>>;
  /** Returns a delivery, with the body and headers of its HTTP request. The signature in the headers is omitted. */
  getWebhookDelivery(id: string, deliveryId: string, options?: CallOptions): Promise<Types.WebhookDeliveryDetail>;
  /** Sends the event of a delivery again, under the same event id. */
  resendWebhookDelivery(id: string, deliveryId: string, options?: CreateOptions): Promise<Types.WebhookDelivery>;
  /**
   * Resends the events of a webhook that were created at `since` or later, at most 1,000 per call. To resend the
   * remaining events, repeat the call with `next_cursor` of the response as `cursor`.
   */
  resendWebhookDeliveries(
    id: string,
    request: JsonBodyOf<'resendWebhookDeliveries'>,
    options?: CreateOptions,
  ): Promise<AnswerOf<'resendWebhookDeliveries'>>;
  /**
   * Sends a test event to a webhook at once. Pass the id of the returned delivery to `getWebhookDelivery` to get the
   * outcome.
   */
  testWebhook(id: string, options?: CreateOptions): Promise<Types.WebhookDelivery>;
  /** Replaces the secret of a webhook. Only this response contains the new secret. */
  rotateWebhookSecret(
    id: string,
    query?: QueryOf<'rotateWebhookSecret'>,
    options?: CreateOptions,
  ): Promise<AnswerOf<'rotateWebhookSecret'>>;

  /** Creates an organization. The call requires the scope `operate`. Only this response contains the first API key. */
  createOrganization(
    request: JsonBodyOf<'createOrganization'>,
    options?: CreateOptions,
  ): Promise<AnswerOf<'createOrganization'>>;
  listOrganizations(query?: QueryOf<'listOrganizations'>, options?: CallOptions): List<AnswerOf<'listOrganizations'>>;
  getOrganization(id: string, options?: CallOptions): Promise<Types.Organization>;
  getOrganizationUsage(id: string, options?: CallOptions): Promise<Types.Usage>;
  /** Returns the usage of an organization by day. The call requires the scope `operate`. */
  getOrganizationDailyUsage(
    id: string,
    query?: QueryOf<'getOrganizationDailyUsage'>,
    options?: CallOptions,
  ): Promise<Types.UsageDays>;
  updateOrganization(
    id: string,
    change: JsonBodyOf<'updateOrganization'>,
    options?: CallOptions,
  ): Promise<Types.Organization>;
  deleteOrganization(id: string, options?: CallOptions): Promise<void>;

  /**
   * Returns the connections to model providers, without their keys. All operations on connections require the scope
   * `operate`.
   */
  getModelConnections(options?: CallOptions): Promise<Types.ModelConnections>;
  setModelConnection(
    provider: Types.ModelProvider,
    connection: Types.ModelConnectionFields,
    options?: CallOptions,
  ): Promise<Types.ModelConnection>;
  deleteModelConnection(provider: Types.ModelProvider, options?: CallOptions): Promise<void>;
  /** Tests a connection to a model provider by calling a model. Stores nothing. */
  testModelConnection(
    provider: Types.ModelProvider,
    connection: Types.ModelConnectionFields,
    options?: CallOptions,
  ): Promise<Types.ModelConnectionTest>;
  /**
   * Lists the models of the Ollama server on the machine of Quarry. Searches for the server only if Quarry runs on a
   * single machine.
   */
  findLocalModels(options?: CallOptions): Promise<Types.LocalModels>;

  /** Returns the state of the installation. The call requires the scope `operate`. */
  getSystem(options?: CallOptions): Promise<Types.System>;
}

export function createAdministrationMethods(connection: Connection): AdministrationMethods {
  const { requestJson, requestList, requestRemoval } = createRequestMethods(connection);
  return {
    createAgent: async (json, options = {}) => requestJson('createAgent', { json, ...options }),
    listAgents: (query = {}, { signal } = {}) => requestList('listAgents', { query, signal }),
    getAgent: async (id, { signal } = {}) => requestJson('getAgent', { path: { id }, signal }),
    updateAgent: async (id, json, { signal } = {}) => requestJson('updateAgent', { path: { id }, json, signal }),
    previewPrompt: async (id, json, { signal } = {}) => requestJson('previewPrompt', { path: { id }, json, signal }),
    deleteAgent: async (id, { signal } = {}) => requestRemoval('deleteAgent', { path: { id }, signal }),

    listConversations: (query = {}, { signal } = {}) => requestList('listConversations', { query, signal }),
    getConversation: async (id, { signal } = {}) => requestJson('getConversation', { path: { id }, signal }),
    listMessages: (id, query = {}, { signal } = {}) => requestList('listMessages', { path: { id }, query, signal }),
    deleteConversation: async (id, { signal } = {}) => requestRemoval('deleteConversation', { path: { id }, signal }),
    setFeedback: async (id, messageId, json, { signal } = {}) =>
      requestJson('setFeedback', { path: { id, messageId }, json, signal }),
    deleteFeedback: async (id, messageId, { signal } = {}) =>
      requestRemoval('deleteFeedback', { path: { id, messageId }, signal }),

    getMe: async ({ signal } = {}) => requestJson('getMe', { signal }),
    startSession: async (json, { signal } = {}) => requestJson('startSession', { json, signal }),
    getSession: async ({ signal } = {}) => requestJson('getSession', { signal }),
    endSession: async ({ signal } = {}) => requestRemoval('endSession', { signal }),
    createSignInCode: async ({ signal } = {}) => requestJson('createSignInCode', { signal }),
    createApiKey: async (json, options = {}) => requestJson('createApiKey', { json, ...options }),
    listApiKeys: (query = {}, { signal } = {}) => requestList('listApiKeys', { query, signal }),
    getApiKey: async (id, { signal } = {}) => requestJson('getApiKey', { path: { id }, signal }),
    updateApiKey: async (id, json, { signal } = {}) => requestJson('updateApiKey', { path: { id }, json, signal }),
    revokeApiKey: async (id, { signal } = {}) => requestRemoval('revokeApiKey', { path: { id }, signal }),

    getUsage: async ({ signal } = {}) => requestJson('getUsage', { signal }),
    getDailyUsage: async (query = {}, { signal } = {}) => requestJson('getDailyUsage', { query, signal }),
    createWebhook: async (json, options = {}) => requestJson('createWebhook', { json, ...options }),
    listWebhooks: (query = {}, { signal } = {}) => requestList('listWebhooks', { query, signal }),
    getWebhook: async (id, { signal } = {}) => requestJson('getWebhook', { path: { id }, signal }),
    updateWebhook: async (id, json, { signal } = {}) => requestJson('updateWebhook', { path: { id }, json, signal }),
    deleteWebhook: async (id, { signal } = {}) => requestRemoval('deleteWebhook', { path: { id }, signal }),
    listWebhookDeliveries: (id, query = {}, { signal } = {}) =>
      requestList('listWebhookDeliveries', { path: { id }, query, signal }),
    getWebhookDelivery: async (id, deliveryId, { signal } = {}) =>
      requestJson('getWebhookDelivery', { path: { id, deliveryId }, signal }),
    resendWebhookDelivery: async (id, deliveryId, options = {}) =>
      requestJson('resendWebhookDelivery', { path: { id, deliveryId }, ...options }),
    resendWebhookDeliveries: async (id, json, options = {}) =>
      requestJson('resendWebhookDeliveries', { path: { id }, json, ...options }),
    testWebhook: async (id, options = {}) => requestJson('testWebhook', { path: { id }, ...options }),
    rotateWebhookSecret: async (id, query = {}, options = {}) =>
      requestJson('rotateWebhookSecret', { path: { id }, query, ...options }),

    createOrganization: async (json, options = {}) => requestJson('createOrganization', { json, ...options }),
    listOrganizations: (query = {}, { signal } = {}) => requestList('listOrganizations', { query, signal }),
    getOrganization: async (id, { signal } = {}) => requestJson('getOrganization', { path: { id }, signal }),
    getOrganizationUsage: async (id, { signal } = {}) => requestJson('getOrganizationUsage', { path: { id }, signal }),
    getOrganizationDailyUsage: async (id, query = {}, { signal } = {}) =>
      requestJson('getOrganizationDailyUsage', { path: { id }, query, signal }),
    updateOrganization: async (id, json, { signal } = {}) =>
      requestJson('updateOrganization', { path: { id }, json, signal }),
    deleteOrganization: async (id, { signal } = {}) => requestRemoval('deleteOrganization', { path: { id }, signal }),

    ...createModelMethods(connection),
    getSystem: async ({ signal } = {}) => requestJson('getSystem', { signal }),
  };
}

type ModelMethods = Pick<
  AdministrationMethods,
  'getModelConnections' | 'setModelConnection' | 'deleteModelConnection' | 'testModelConnection' | 'findLocalModels'
>;

function createModelMethods(connection: Connection): ModelMethods {
  const { requestJson, requestRemoval } = createRequestMethods(connection);
  return {
    getModelConnections: async ({ signal } = {}) => requestJson('getModelConnections', { signal }),
    setModelConnection: async (provider, json, { signal } = {}) =>
      requestJson('setModelConnection', { path: { provider }, json, signal }),
    deleteModelConnection: async (provider, { signal } = {}) =>
      requestRemoval('deleteModelConnection', { path: { provider }, signal }),
    testModelConnection: async (provider, json, { signal } = {}) =>
      requestJson('testModelConnection', { path: { provider }, json, signal }),
    findLocalModels: async ({ signal } = {}) => requestJson('findLocalModels', { signal }),
  };
}
