import type { components } from './generated/schema.js';
import type { JsonBodyOf } from './operation-types.js';

type Schemas = components['schemas'];

export type Agent = Schemas['AgentResponse'];
export type AgentQueryRequest = Omit<Schemas['AgentQueryRequest'], 'streaming'>;
export type AgentQueryResponse = Schemas['AgentQueryResponse'];
export type AnswerSource = Schemas['AnswerSource'];
export type ApiKey = Schemas['ApiKeyResponse'];
export type Conversation = Schemas['ConversationResponse'];
export type CreateAgentRequest = Schemas['CreateAgentRequest'];
export type CreateApiKeyRequest = Schemas['CreateApiKeyRequest'];
/** Describes a datasource with a URL: a page, a site or a listing. */
export type CreateDatasourceRequest = JsonBodyOf<'createDatasource'>;
export type CreateDatastoreRequest = Schemas['CreateDatastoreRequest'];
export type Datasource = Schemas['DatasourceResponse'];
export type Datastore = Schemas['DatastoreResponse'];
export type DatastoreQueryRequest = Schemas['DatastoreQueryRequest'];
export type DatastoreQueryResult = Schemas['DatastoreQueryResult'];
export type CreateEvaluationRequest = Schemas['CreateEvaluationRequest'];
export type Evaluation = Schemas['EvaluationResponse'];
export type EvaluationComparison = Schemas['EvaluationComparison'];
export type Me = Schemas['MeResponse'];
export type Message = Schemas['MessageResponse'];
export type Organization = Schemas['OrganizationResponse'];
export type UpdateAgentRequest = Schemas['UpdateAgentRequest'];
export type DatasourceDocument = Schemas['DocumentResponse'];
export type Run = Schemas['RunResponse'];
export type UpdateDatasourceRequest = Schemas['UpdateDatasourceRequest'];
export type UpdateDatastoreRequest = Schemas['UpdateDatastoreRequest'];
export type Webhook = Schemas['WebhookResponse'];
export type Usage = Schemas['UsageResponse'];
export type UpsertDocument = Schemas['UpsertDocument'];
