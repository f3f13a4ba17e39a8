import type { DatasourceEvent, ResetEvent } from './datasource-events.js';
import type { AnswerEvent } from './answer-events.js';
import type { CallOptions, CreateOptions, StreamOptions, UploadOptions } from './call-options.js';
import type { AnswerOf, JsonBodyOf, QueryOf } from './operation-types.js';
import type * as Types from './types.js';
import type { UploadedFile } from './build-upload.js';

/**
 * Provides every operation of the API. Each throws `QuarryError` for an error response, `TypeError` if the server does
 * not respond, and the reason of the signal if it is aborted.
 */
export interface QuarryClient extends KnowledgeMethods, DatasourceMethods, EvaluationMethods, AdministrationMethods {}

/** Provides the operations that ask questions and that fill datastores. */
export interface KnowledgeMethods {
  queryAgent(id: string, request: Types.AgentQueryRequest, options?: CreateOptions): Promise<Types.AgentQueryResponse>;

  /**
   * Streams the answer while the model generates it. Leaving the loop early stops the model, unless the request has an
   * `idempotencyKey`. With `resumable: true`, an interrupted connection is opened again without loss, and leaving the
   * loop early stops the model after 30 seconds.
   */
  streamAgent(id: string, request: Types.AgentQueryRequest, options?: StreamOptions): AsyncGenerator<AnswerEvent>;

  /**
   * Continues the stream of an answer that was requested with `resumable: true`, such as after a page was loaded again.
   * `after` is the number of characters to omit. Default: 0.
   */
  streamAnswer(
    conversationId: string,
    messageId: string,
    options?: CallOptions & Pick<StreamOptions, 'onResume'> & { readonly after?: number },
  ): AsyncGenerator<AnswerEvent>;

  queryDatastore(
    id: string,
    request: Types.DatastoreQueryRequest,
    options?: CallOptions,
  ): Promise<Types.DatastoreQueryResult[]>;

  /** Searches a datastore, and explains the result: scores and ranks per stage, dropped fragments, and durations. */
  explainDatastoreQuery(
    id: string,
    request: Types.DatastoreQueryRequest,
    options?: CallOptions,
  ): Promise<Types.ExplainedQueryResponse>;

  upsertDocuments(
    datastoreId: string,
    documents: readonly Types.UpsertDocument[],
    options?: CreateOptions,
  ): Promise<AnswerOf<'upsertDocuments'>>;

  /** Creates a datasource from a URL. Use `uploadFile` for files. */
  createDatasource(request: Types.CreateDatasourceRequest, options?: CreateOptions): Promise<Types.Datasource>;

  /** Uploads a file. A stream is sent as it is read, without buffering it in memory. */
  uploadFile(datastoreId: string, file: UploadedFile, options?: UploadOptions): Promise<Types.Datasource>;

  createDatastore(request: Types.CreateDatastoreRequest, options?: CreateOptions): Promise<Types.Datastore>;
  listDatastores(query?: QueryOf<'listDatastores'>, options?: CallOptions): Promise<AnswerOf<'listDatastores'>>;
  getDatastore(id: string, options?: CallOptions): Promise<Types.Datastore>;
  updateDatastore(id: string, change: Types.UpdateDatastoreRequest, options?: CallOptions): Promise<Types.Datastore>;
  deleteDatastore(id: string, options?: CallOptions): Promise<void>;
}

/** Provides the operations on datasources and their content. */
export interface DatasourceMethods {
  listDatasources(query?: QueryOf<'listDatasources'>, options?: CallOptions): Promise<AnswerOf<'listDatasources'>>;
  getDatasource(id: string, options?: CallOptions): Promise<Types.Datasource>;
  updateDatasource(id: string, change: Types.UpdateDatasourceRequest, options?: CallOptions): Promise<Types.Datasource>;
  /**
   * Yields the state of a datasource at once, and again after each change. Connects again after an interruption. Ends when the
   * datasource was deleted.
   */
  watchDatasource(id: string, options?: CallOptions): AsyncGenerator<DatasourceEvent>;
  /**
   * Yields the changes of all datasources of a datastore. `reset` comes first, and when changes may be missing: read the list
   * of datasources. Connects again after an interruption.
   */
  watchDatastore(id: string, options?: CallOptions): AsyncGenerator<DatasourceEvent | ResetEvent>;
  /** Lists the documents of a datasource, such as pages or items, with their outcome and reason, by document key. */
  listDocuments(
    id: string,
    query?: QueryOf<'listDocuments'>,
    options?: CallOptions,
  ): Promise<AnswerOf<'listDocuments'>>;
  /** Lists the stored fragments, by document key and position. */
  listFragments(
    id: string,
    query?: QueryOf<'listFragments'>,
    options?: CallOptions,
  ): Promise<AnswerOf<'listFragments'>>;
  /**
   * Returns the uploaded bytes of a file, or an upserted text, as a response whose body is not yet read.
   *
   * @throws QuarryError `no_original` if the datasource has none
   */
  getOriginal(id: string, options?: CallOptions): Promise<Response>;
  /**
   * Returns a page of an uploaded PDF as a PNG picture, as a response whose body is not yet read. `page` starts at 1.
   *
   * @throws QuarryError `no_page_pictures`, `page_not_found`, `page_unreadable` or, for a page that is not rendered
   * yet, `page_not_rendered`
   */
  getPagePicture(id: string, page: number, options?: CallOptions & QueryOf<'getPagePicture'>): Promise<Response>;
  /**
   * Returns the URL of a page picture, such as for `<img src>` in a page of the console, which sends the cookie of its
   * session.
   */
  getPagePictureUrl(id: string, page: number, query?: QueryOf<'getPagePicture'>): string;
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
  /** Lists the datasets, newest first. Each can be evaluated again. */
  listEvaluationDatasets(
    query?: QueryOf<'listEvaluationDatasets'>,
    options?: CallOptions,
  ): Promise<AnswerOf<'listEvaluationDatasets'>>;
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
  /** Returns what the agent sends to its model for a question, without calling the model. */
  previewPrompt(id: string, request: Types.PromptPreviewRequest, options?: CallOptions): Promise<Types.PromptPreview>;
  deleteAgent(id: string, options?: CallOptions): Promise<void>;

  listConversations(
    query?: QueryOf<'listConversations'>,
    options?: CallOptions,
  ): Promise<AnswerOf<'listConversations'>>;
  getConversation(id: string, options?: CallOptions): Promise<Types.Conversation>;
  /** Lists the messages, oldest first. */
  listMessages(id: string, query?: QueryOf<'listMessages'>, options?: CallOptions): Promise<AnswerOf<'listMessages'>>;
  deleteConversation(id: string, options?: CallOptions): Promise<void>;
  /** Rates an answer. The feedback replaces earlier feedback on the same answer. */
  setFeedback(
    id: string,
    messageId: string,
    feedback: Types.SetFeedbackRequest,
    options?: CallOptions,
  ): Promise<Types.MessageFeedback>;
  deleteFeedback(id: string, messageId: string, options?: CallOptions): Promise<void>;

  /** Returns the API key of the client and its organization. */
  getMe(options?: CallOptions): Promise<Types.Me>;

  /** Signs in with an API key or a one-time code. The browser stores the cookie of the session. */
  startSession(request: JsonBodyOf<'startSession'>, options?: CallOptions): Promise<Types.Session>;
  /** Returns the current session, with its key and organization. */
  getSession(options?: CallOptions): Promise<Types.Session>;
  /** Signs out. */
  endSession(options?: CallOptions): Promise<void>;
  /** Creates a one-time code with which a browser signs in with the permissions of this client. */
  createSignInCode(options?: CallOptions): Promise<AnswerOf<'createSignInCode'>>;

  /** Creates an API key. Only this response contains the key itself. */
  createApiKey(request: Types.CreateApiKeyRequest, options?: CreateOptions): Promise<AnswerOf<'createApiKey'>>;
  listApiKeys(query?: QueryOf<'listApiKeys'>, options?: CallOptions): Promise<AnswerOf<'listApiKeys'>>;
  getApiKey(id: string, options?: CallOptions): Promise<Types.ApiKey>;
  updateApiKey(id: string, change: JsonBodyOf<'updateApiKey'>, options?: CallOptions): Promise<Types.ApiKey>;
  revokeApiKey(id: string, options?: CallOptions): Promise<void>;

  /** Returns the usage of this month and the stored tokens. */
  getUsage(options?: CallOptions): Promise<Types.Usage>;
  /** Returns the usage of each day in UTC, by default of the last 30 days. */
  getDailyUsage(query?: QueryOf<'getDailyUsage'>, options?: CallOptions): Promise<Types.UsageDays>;

  /** Creates a webhook. Only this response contains the secret for verifying signatures. */
  createWebhook(request: JsonBodyOf<'createWebhook'>, options?: CreateOptions): Promise<AnswerOf<'createWebhook'>>;
  listWebhooks(query?: QueryOf<'listWebhooks'>, options?: CallOptions): Promise<AnswerOf<'listWebhooks'>>;
  getWebhook(id: string, options?: CallOptions): Promise<Types.Webhook>;
  updateWebhook(id: string, change: JsonBodyOf<'updateWebhook'>, options?: CallOptions): Promise<Types.Webhook>;
  deleteWebhook(id: string, options?: CallOptions): Promise<void>;
  /** Lists the events for a webhook with the latest attempts of each, newest first. */
  listWebhookDeliveries(
    id: string,
    query?: QueryOf<'listWebhookDeliveries'>,
    options?: CallOptions,
  ): Promise<AnswerOf<'listWebhookDeliveries'>>;
  /** Returns a delivery with the headers and the body of its request. The signature is not shown. */
  getWebhookDelivery(id: string, deliveryId: string, options?: CallOptions): Promise<Types.WebhookDeliveryDetail>;
  /** Sends an event again under the same id. */
  resendWebhookDelivery(id: string, deliveryId: string, options?: CreateOptions): Promise<Types.WebhookDelivery>;
  /** Sends events since a time again. Pass `next_cursor` as `cursor` to continue. */
  resendWebhookDeliveries(
    id: string,
    request: JsonBodyOf<'resendWebhookDeliveries'>,
    options?: CreateOptions,
  ): Promise<AnswerOf<'resendWebhookDeliveries'>>;
  /** Sends a test event at once. Its outcome is in the delivery with the returned id. */
  testWebhook(id: string, options?: CreateOptions): Promise<Types.WebhookDelivery>;
  /** Replaces the secret. Only this response contains the new one. */
  rotateWebhookSecret(
    id: string,
    query?: QueryOf<'rotateWebhookSecret'>,
    options?: CreateOptions,
  ): Promise<AnswerOf<'rotateWebhookSecret'>>;

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
  /** Returns the usage of another organization by day. */
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

  /** Returns the connections to model providers, without their keys. The operations on them require the scope `operate`. */
  getModelConnections(options?: CallOptions): Promise<Types.ModelConnections>;
  setModelConnection(
    provider: Types.ModelProvider,
    connection: Types.ModelConnectionFields,
    options?: CallOptions,
  ): Promise<Types.ModelConnection>;
  deleteModelConnection(provider: Types.ModelProvider, options?: CallOptions): Promise<void>;
  /** Calls a model with a connection, and stores nothing. */
  testModelConnection(
    provider: Types.ModelProvider,
    connection: Types.ModelConnectionFields,
    options?: CallOptions,
  ): Promise<Types.ModelConnectionTest>;
  /** Finds the Ollama on the machine of a one-machine installation. */
  findLocalModels(options?: CallOptions): Promise<Types.LocalModels>;

  /** Returns the state of the installation. It requires the scope `operate`. */
  getSystem(options?: CallOptions): Promise<Types.System>;
}
