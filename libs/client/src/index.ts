export { createClient } from './client.js';
export type { CallOptions, ClientOptions, CreateOptions, FileNames, QuarryClient } from './quarry-client.js';
export { parseAnswerEvents, type AnswerEvent } from './answer-events.js';
export { QuarryError, type FieldProblem } from './quarry-error.js';
export type { UploadedFile } from './build-upload.js';
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
  Datastore,
  DatastoreQueryRequest,
  DatastoreQueryResult,
  Evaluation,
  EvaluationComparison,
  Me,
  Message,
  Organization,
  Run,
  UpdateAgentRequest,
  UpdateDatasourceRequest,
  UpdateDatastoreRequest,
  UpsertDocument,
  Usage,
  Webhook,
} from './types.js';
