import type { AnswerEvent } from './answer-events.js';
import type { Connection } from './connection.js';
import type { AnswerOf, JsonBodyOf, QueryOf } from './operations.js';
import type * as Types from './types.js';
import type { UploadedFile } from './upload.js';

export interface ClientOptions extends Partial<Connection> {
  /** Such as `http://localhost:3000/api`. */
  readonly baseUrl: string;
  readonly apiKey: string;
}

/** For one call. */
export interface CallOptions {
  readonly signal?: AbortSignal;
}

/** For one call that makes something. */
export interface CreateOptions extends CallOptions {
  /** Names the request, so that another call with the same name within 24 hours gets the same answer. */
  readonly idempotencyKey?: string;
}

export interface FileNames {
  /** What the file is called in Quarry. Default: its own name. */
  readonly fileName?: string;
  /** For `filters.custom_ids`. A file with the same custom id and name replaces this one. */
  readonly custom_id?: string;
}

/**
 * Every operation of the API. Each throws `QuarryError` for what Quarry refuses, `TypeError` when nothing answers, and the
 * signal's reason when that is aborted.
 */
export interface QuarryClient {
  queryAgent(id: string, request: Types.AgentQueryRequest, options?: CreateOptions): Promise<Types.AgentQueryResponse>;

  /** The answer while it is made. Leaving the loop early ends the model's work, unless the request has an `idempotencyKey`. */
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

  /** A datasource of an address. For one of a file: `uploadFile`. */
  createDatasource(request: Types.CreateDatasourceRequest, options?: CreateOptions): Promise<Types.Datasource>;

  /** A stream is sent while it is read, and never held in memory. */
  uploadFile(datastoreId: string, file: UploadedFile, options?: CreateOptions & FileNames): Promise<Types.Datasource>;

  createDatastore(request: Types.CreateDatastoreRequest, options?: CreateOptions): Promise<Types.Datastore>;
  listDatastores(query?: QueryOf<'listDatastores'>, options?: CallOptions): Promise<AnswerOf<'listDatastores'>>;
  getDatastore(id: string, options?: CallOptions): Promise<Types.Datastore>;
  updateDatastore(id: string, change: Types.UpdateDatastoreRequest, options?: CallOptions): Promise<Types.Datastore>;
  deleteDatastore(id: string, options?: CallOptions): Promise<void>;

  listDatasources(query?: QueryOf<'listDatasources'>, options?: CallOptions): Promise<AnswerOf<'listDatasources'>>;
  getDatasource(id: string, options?: CallOptions): Promise<Types.Datasource>;
  updateDatasource(id: string, change: Types.UpdateDatasourceRequest, options?: CallOptions): Promise<Types.Datasource>;
  /** Each page or item with its state and its reason, by document key. */
  listDocuments(
    id: string,
    query?: QueryOf<'listDocuments'>,
    options?: CallOptions,
  ): Promise<AnswerOf<'listDocuments'>>;
  /** Newest first. */
  listRuns(id: string, query?: QueryOf<'listRuns'>, options?: CallOptions): Promise<AnswerOf<'listRuns'>>;
  cancelDatasource(id: string, options?: CallOptions): Promise<Types.Datasource>;
  syncDatasource(id: string, options?: CallOptions & QueryOf<'syncDatasource'>): Promise<Types.Datasource>;
  deleteDatasource(id: string, options?: CallOptions): Promise<void>;
  /**
   * Waits until nothing is being done for it: it is `synched`, `error` or `usage_limit_reached`. For no longer than a minute:
   * `{ signal: AbortSignal.timeout(60_000) }`.
   */
  untilSettled(id: string, options?: CallOptions): Promise<Types.Datasource>;

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
  /** Oldest first. */
  listMessages(id: string, query?: QueryOf<'listMessages'>, options?: CallOptions): Promise<AnswerOf<'listMessages'>>;
  deleteConversation(id: string, options?: CallOptions): Promise<void>;

  /** Who asks. */
  getMe(options?: CallOptions): Promise<Types.Me>;

  /** The answer alone has the key's text. */
  createApiKey(request: Types.CreateApiKeyRequest, options?: CreateOptions): Promise<AnswerOf<'createApiKey'>>;
  listApiKeys(query?: QueryOf<'listApiKeys'>, options?: CallOptions): Promise<AnswerOf<'listApiKeys'>>;
  getApiKey(id: string, options?: CallOptions): Promise<Types.ApiKey>;
  updateApiKey(id: string, change: JsonBodyOf<'updateApiKey'>, options?: CallOptions): Promise<Types.ApiKey>;
  revokeApiKey(id: string, options?: CallOptions): Promise<void>;

  /** Of this month, and of what is stored. */
  getUsage(options?: CallOptions): Promise<Types.Usage>;

  /** The answer alone has the secret that events are signed with. */
  createWebhook(request: JsonBodyOf<'createWebhook'>, options?: CreateOptions): Promise<AnswerOf<'createWebhook'>>;
  listWebhooks(query?: QueryOf<'listWebhooks'>, options?: CallOptions): Promise<AnswerOf<'listWebhooks'>>;
  getWebhook(id: string, options?: CallOptions): Promise<Types.Webhook>;
  updateWebhook(id: string, change: JsonBodyOf<'updateWebhook'>, options?: CallOptions): Promise<Types.Webhook>;
  deleteWebhook(id: string, options?: CallOptions): Promise<void>;

  /** With the scope `operate`. The answer alone has the first key's text. */
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
