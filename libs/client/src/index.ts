export { createClient } from './client.js';
export type {
  CallOptions,
  ClientOptions,
  CreateOptions,
  FileNames,
  StreamOptions,
  UploadOptions,
} from './call-options.js';
export type { QuarryClient } from './quarry-client.js';
export type { AnswerIds } from './resume-answer.js';
export type { DatasourceEvent, ResetEvent } from './datasource-events.js';
export { parseAnswerEvents, type AnswerEvent } from './answer-events.js';
export { QuarryError, type FieldProblem } from './quarry-error.js';
export type { UploadedFile } from './build-upload.js';
export type { UploadProgress } from './send-with-progress.js';
export type {
  Agent,
  AgentQueryRequest,
  AgentQueryResponse,
  AnswerSource,
  ApiKey,
  Conversation,
  CreateAgentRequest,
  CreateApiKeyRequest,
  CreateDatasourceRequest,
  CreateDatastoreRequest,
  CreateEvaluationRequest,
  Datasource,
  DatasourceDocument,
  DatasourceFragment,
  Datastore,
  DatastoreQueryRequest,
  DatastoreQueryResult,
  DroppedResult,
  Evaluation,
  EvaluationComparison,
  EvaluationDataset,
  ExplainedQueryResponse,
  FragmentScores,
  Me,
  Message,
  MessageFeedback,
  Organization,
  Run,
  Session,
  PromptPreview,
  PromptPreviewRequest,
  SearchExplanation,
  SetFeedbackRequest,
  System,
  SystemBacklog,
  SystemDatabase,
  SystemQueue,
  SystemService,
  UpdateAgentRequest,
  UpdateDatasourceRequest,
  UpdateDatastoreRequest,
  UpsertDocument,
  Usage,
  Webhook,
  WebhookDelivery,
  WebhookDeliveryDetail,
} from './types.js';
