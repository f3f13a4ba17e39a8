import type { AnswerEvent } from './answer-events.js';
import type { Connection } from './connection.js';
import type { AnswerOf, JsonBodyOf, QueryOf } from './operation-types.js';
import type * as Types from './types.js';
import type { UploadedFile } from './build-upload.js';

export interface ClientOptions extends Partial<Connection> {
  /** Base URL of the API, such as `http://localhost:3000/api`. */
  readonly baseUrl: string;
  readonly apiKey: string;
}

/** Describes the options of one call. */
export interface CallOptions {
  readonly signal?: AbortSignal;
}

/** Describes the options of one call that creates a resource. */
export interface CreateOptions extends CallOptions {
  /** Identifies the request. Another call with the same key within 24 hours returns the same response. */
  readonly idempotencyKey?: string;
}

export interface FileNames {
  /** Sets the name of the file in Quarry. Default: the name of the `File`. */
  readonly fileName?: string;
  /** Sets the custom id for `filters.custom_ids`. The upload replaces a file with the same custom id and name. */
  readonly custom_id?: string;
}

/**
 * Provides every operation of the API. Each throws `QuarryError` for an error response, `TypeError` if the server does
 * not respond, and the reason of the signal if it is aborted.
 */
export interface QuarryClient extends KnowledgeMethods, EvaluationMethods, AdministrationMethods {}

/** Provides the operations that ask questions and that fill datastores. */
export interface KnowledgeMethods {
  queryAgent(id: string, request: Types.AgentQueryRequest, options?: CreateOptions): Promise<Types.AgentQueryResponse>;

  /**
   * Streams the answer while the model generates it. Leaving the loop early stops the model, unless the request has an
   * `idempotencyKey`.
   */
  streamAgent(id: string, request: Types.AgentQueryRequest, options?: CreateOptions): AsyncGenerator<AnswerEvent>;

  queryDatastore(
    id: string,
    request: Types.DatastoreQueryRequest,
    options?: CallOptions,
  ): Promise<Types.DatastoreQueryResult[]>;

  upsertDocuments(
    datastoreId: string,
    documents: readonly Types.UpsertDocument[],
    options?: CreateOptions,
  ): Promise<AnswerOf<'upsertDocuments'>>;

  /** Creates a datasource from a URL. Use `uploadFile` for files. */
  createDatasource(request: Types.CreateDatasourceRequest, options?: CreateOptions): Promise<Types.Datasource>;

  /** Uploads a file. A stream is sent as it is read, without buffering it in memory. */
  uploadFile(datastoreId: string, file: UploadedFile, options?: CreateOptions & FileNames): Promise<Types.Datasource>;

  createDatastore(request: Types.CreateDatastoreRequest, options?: CreateOptions): Promise<Types.Datastore>;
  listDatastores(query?: QueryOf<'listDatastores'>, options?: CallOptions): Promise<AnswerOf<'listDatastores'>>;
  getDatastore(id: string, options?: CallOptions): Promise<Types.Datastore>;
  updateDatastore(id: string, change: Types.UpdateDatastoreRequest, options?: CallOptions): Promise<Types.Datastore>;
  deleteDatastore(id: string, options?: CallOptions): Promise<void>;

  listDatasources(query?: QueryOf<'listDatasources'>, options?: CallOptions): Promise<AnswerOf<'listDatasources'>>;
  getDatasource(id: string, options?: CallOptions): Promise<Types.Datasource>;
  updateDatasource(id: string, change: Types.UpdateDatasourceRequest, options?: CallOptions): Promise<Types.Datasource>;
  /** Lists the documents of a datasource, such as pages or items, with their outcome and reason, by document key. */
  listDocuments(
    id: string,
    query?: QueryOf<'listDocuments'>,
    options?: CallOptions,
  ): Promise<AnswerOf<'listDocuments'>>;
  /** Lists the runs, newest first. */
  listRuns(id: string, query?: QueryOf<'listRuns'>, options?: CallOptions): Promise<AnswerOf<'listRuns'>>;
  cancelDatasource(id: string, options?: CallOptions): Promise<Types.Datasource>;
  syncDatasource(id: string, options?: CreateOptions & QueryOf<'syncDatasource'>): Promise<Types.Datasource>;
  deleteDatasource(id: string, options?: CallOptions): Promise<void>;
  /**
   * Waits until the datasource is `synched`, `error` or `usage_limit_reached`. To wait for at most a minute, pass `{
   * signal: AbortSignal.timeout(60_000) }`.
   */
  untilSettled(id: string, options?: CallOptions): Promise<Types.Datasource>;
}

/** Provides the operations on evaluations. */
export interface EvaluationMethods {
  /** Starts an evaluation of a datastore or an agent. */
  createEvaluation(request: Types.CreateEvaluationRequest, options?: CreateOptions): Promise<Types.Evaluation>;
  listEvaluations(query?: QueryOf<'listEvaluations'>, options?: CallOptions): Promise<AnswerOf<'listEvaluations'>>;
  getEvaluation(id: string, options?: CallOptions): Promise<Types.Evaluation>;
  /** Lists the questions with their outcome, in the order of the dataset. */
  listEvaluationQuestions(
    id: string,
    query?: QueryOf<'listEvaluationQuestions'>,
    options?: CallOptions,
  ): Promise<AnswerOf<'listEvaluationQuestions'>>;
  /** Compares an evaluation with another one of the same dataset. */
  compareEvaluations(id: string, withId: string, options?: CallOptions): Promise<Types.EvaluationComparison>;
  cancelEvaluation(id: string, options?: CallOptions): Promise<Types.Evaluation>;
  deleteEvaluation(id: string, options?: CallOptions): Promise<void>;
  /** Waits until the evaluation is `done`, `cancelled` or `error`. */
  untilEvaluated(id: string, options?: CallOptions): Promise<Types.Evaluation>;
}

/** Provides the operations on agents, conversations, API keys, webhooks and organizations. */
export interface AdministrationMethods {
  createAgent(request: Types.CreateAgentRequest, options?: CreateOptions): Promise<Types.Agent>;
  listAgents(query?: QueryOf<'listAgents'>, options?: CallOptions): Promise<AnswerOf<'listAgents'>>;
  getAgent(id: string, options?: CallOptions): Promise<Types.Agent>;
  updateAgent(id: string, change: Types.UpdateAgentRequest, options?: CallOptions): Promise<Types.Agent>;
  deleteAgent(id: string, options?: CallOptions): Promise<void>;

  listConversations(
    query?: QueryOf<'listConversations'>,
    options?: CallOptions,
  ): Promise<AnswerOf<'listConversations'>>;
  getConversation(id: string, options?: CallOptions): Promise<Types.Conversation>;
  /** Lists the messages, oldest first. */
  listMessages(id: string, query?: QueryOf<'listMessages'>, options?: CallOptions): Promise<AnswerOf<'listMessages'>>;
  deleteConversation(id: string, options?: CallOptions): Promise<void>;

  /** Returns the API key of the client and its organization. */
  getMe(options?: CallOptions): Promise<Types.Me>;

  /** Creates an API key. Only this response contains the key itself. */
  createApiKey(request: Types.CreateApiKeyRequest, options?: CreateOptions): Promise<AnswerOf<'createApiKey'>>;
  listApiKeys(query?: QueryOf<'listApiKeys'>, options?: CallOptions): Promise<AnswerOf<'listApiKeys'>>;
  getApiKey(id: string, options?: CallOptions): Promise<Types.ApiKey>;
  updateApiKey(id: string, change: JsonBodyOf<'updateApiKey'>, options?: CallOptions): Promise<Types.ApiKey>;
  revokeApiKey(id: string, options?: CallOptions): Promise<void>;

  /** Returns the usage of this month and the stored tokens. */
  getUsage(options?: CallOptions): Promise<Types.Usage>;

  /** Creates a webhook. Only this response contains the secret for verifying signatures. */
  createWebhook(request: JsonBodyOf<'createWebhook'>, options?: CreateOptions): Promise<AnswerOf<'createWebhook'>>;
  listWebhooks(query?: QueryOf<'listWebhooks'>, options?: CallOptions): Promise<AnswerOf<'listWebhooks'>>;
  getWebhook(id: string, options?: CallOptions): Promise<Types.Webhook>;
  updateWebhook(id: string, change: JsonBodyOf<'updateWebhook'>, options?: CallOptions): Promise<Types.Webhook>;
  deleteWebhook(id: string, options?: CallOptions): Promise<void>;

  /** Creates an organization. It requires the scope `operate`. Only this response contains the first API key. */
  createOrganization(
    request: JsonBodyOf<'createOrganization'>,
    options?: CreateOptions,
  ): Promise<AnswerOf<'createOrganization'>>;
  listOrganizations(
    query?: QueryOf<'listOrganizations'>,
    options?: CallOptions,
  ): Promise<AnswerOf<'listOrganizations'>>;
  getOrganization(id: string, options?: CallOptions): Promise<Types.Organization>;
  getOrganizationUsage(id: string, options?: CallOptions): Promise<Types.Usage>;
  updateOrganization(
    id: string,
    change: JsonBodyOf<'updateOrganization'>,
    options?: CallOptions,
  ): Promise<Types.Organization>;
  deleteOrganization(id: string, options?: CallOptions): Promise<void>;
}
