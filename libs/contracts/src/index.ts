export {
  DEFAULT_SPLITTING,
  EmbeddingSettings,
  EmbeddingSettingsRequest,
  SplittingSettings,
} from './datastore-settings.js';
export {
  DATASOURCE_STATUSES,
  DATASOURCE_TYPES,
  isSettledStatus,
  NO_COUNTERS,
  SETTLED_STATUSES,
  STAGES,
  type DatasourceStatus,
  type DatasourceType,
  type RunCounters,
  type SettledStatus,
  type Stage,
} from './datasource/type-and-status.js';
export {
  INITIAL_STATE,
  applyDatasourceEvent,
  type DatasourceState,
  type DatasourceEvent,
  type IgnoredReason,
  type Transition,
} from './datasource/datasource-state.js';
export { toPublicReasonCode, REASON_CODES, REASONS, type ReasonCode } from './datasource/reasons.js';
export {
  MAX_ORGANIZATION_SHARE,
  STANDARD_RETENTION,
  STANDARD_RETRY,
  type Backoff,
  type JobContract,
  type JobPayloads,
  type OwnerShare,
  type QueueContract,
} from './queues/queue-contract.js';
export { AttemptFailed, GiveUp, TryLater, type TryLaterOptions } from './queues/retry.js';
export { SyncJob, formatSyncJobId } from './queues/sync-job.js';
export { CrawlPage, crawlQueue, CrawlSite, type CrawlJobs } from './queues/crawl.js';
export {
  CATALOG_SYNC_MODES,
  catalogQueue,
  SyncCatalog,
  type CatalogJobs,
  type CatalogSyncMode,
} from './queues/catalog.js';
export { AttemptError, DocumentRetrying } from './queues/attempt-error.js';
export {
  DOCUMENT_OUTCOMES,
  DocumentSettled,
  RunEnumerated,
  DryRunDocuments,
  type DocumentOutcome,
} from './queues/document-settled.js';
export {
  buildDocumentJobId,
  buildIndexJobId,
  IndexDocument,
  ingestionQueue,
  RemoveDocument,
  RemoveDatasource,
  RemoveDatastore,
  Removal,
  type IngestionJobs,
} from './queues/ingestion.js';
export { Counters, Progress } from './queues/run-event.js';
export { RUN_JOB_OUTCOMES, StatusChanged, StatusesChanged, type RunJobOutcome } from './queues/status-changed.js';
export {
  datasourceStatusQueue,
  RemovalDone,
  RunProgressed,
  RunRetrying,
  type DatasourceStatusJobs,
} from './queues/datasource-status.js';
export {
  AgentQueryRequest,
  AnswerStreamQuery,
  GenerationSettings,
  MAX_ANSWER_TOKENS,
  MODEL_NAMES,
  PROMPT_TYPES,
  type ModelName,
  type PromptType,
} from './http/agent-query.js';
export {
  AgentQueryResponse,
  AnswerSource,
  AnswerUsage,
  ANSWER_NOTES,
  RETRIEVAL_NOTES,
  type AnswerNote,
  type RetrievalNote,
} from './http/agent-query-response.js';
export { PageRectangle, parsePageRectangles } from './http/page-rectangle.js';
export {
  DatastoreQueryRequest,
  DEFAULT_TOP_K,
  MAX_TOP_K,
  PriceRange,
  QueryFilters,
  DatastoreQueryResult,
} from './http/datastore-query.js';
export {
  findMetadataFilterViolations,
  MAX_METADATA_COMPARISONS,
  MAX_METADATA_FILTER_DEPTH,
  MAX_METADATA_FILTER_VALUES,
  MAX_METADATA_KEY_CHARACTERS,
  MAX_METADATA_TEXT_CHARACTERS,
  MetadataFilter,
  type MetadataCondition,
} from './http/metadata-filter.js';
export {
  AnalyzedQueryText,
  DroppedCount,
  DroppedResult,
  ExplainedQueryResponse,
  FragmentScores,
  MAX_DROPPED_RESULTS,
  MAX_DROPPED_TEXT,
  SEARCH_DROP_REASONS,
  SearchedList,
  SearchExplanation,
  SearchStages,
  StageTime,
  type SearchDropReason,
} from './http/search-explanation.js';
export {
  ConversationListQuery,
  MessageListQuery,
  ConversationResponse,
  MAX_FIRST_QUESTION_LENGTH,
  MESSAGE_ROLES,
  MESSAGE_STATES,
  MessageResponse,
  type MessageRole,
  type MessageState,
  type FeedbackFilter,
} from './http/conversation.js';
export { MessageFeedback, SetFeedbackRequest } from './http/feedback.js';
export { AgentSettings, CreateAgentRequest, UpdateAgentRequest, AgentResponse } from './http/agent.js';
export {
  CreateFileFields,
  CreateItemListingRequest,
  CreateWebPageRequest,
  CreateWebSiteRequest,
  DatasourceListQuery,
  FileUploadFields,
  ItemListingConfig,
  MAX_ID_LENGTH,
  MAX_NAME_LENGTH,
  WebPageConfig,
  WebSiteConfig,
} from './http/datasource.js';
export { DatasourceContent, DatasourceError, DatasourceResponse, QueuePlace } from './http/datasource-response.js';
export { PromptMessage, PromptPreviewRequest, PromptPreviewResponse } from './http/prompt-preview.js';
export { FragmentListQuery, FragmentResponse } from './http/datasource-fragment.js';
export { MAX_PAGE_CONFIDENCES, PageConfidence } from './datasource/page-confidence.js';
export { DocumentListQuery, DocumentPages, DocumentResponse } from './http/datasource-document.js';
export {
  FailureReason,
  LastError,
  RUN_STATUSES,
  RunRemoval,
  RunResponse,
  RunStep,
  RunView,
  type RunStatus,
} from './http/run.js';
export {
  HoldsItemListingConfig,
  HoldsWebPageConfig,
  HoldsWebSiteConfig,
  UpdateDatasourceRequest,
} from './http/update-datasource.js';
export {
  CreateDatastoreRequest,
  type DatastoreExpiry,
  UpdateDatastoreRequest,
  DatastoreResponse,
} from './http/datastore.js';
export { normalizePercentEscapes, normalizeUrl, parsePageUrl } from './datasource/normalize-url.js';
export { buildStoredDocumentKey, parseStoredDocumentKey } from './datasource/stored-document-key.js';
export { formatCount } from './datasource/format-count.js';
export {
  createRunNote,
  createNoteFields,
  RUN_NOTE_CODES,
  RunNote,
  type RunNoteCode,
  type RunNoteParameters,
} from './datasource/run-note.js';
export { SyncQuery } from './http/sync-query.js';
export { type ListingField, ListingDryRunResponse } from './http/listing-dry-run.js';
export { DEFAULT_PAGE_SIZE, type ListOrder, MAX_PAGE_SIZE, PageQuery, type Page } from './http/pagination.js';
export { SCOPES, TENANT_SCOPES, type Scope } from './http/scopes.js';
export { IsNotBlank } from './http/is-not-blank.js';
export {
  DEFAULT_JOB_WEIGHT,
  CreatedOrganizationResponse,
  CreateOrganizationRequest,
  OrganizationLimits,
  OrganizationResponse,
  SetOrganizationLimits,
  UpdateOrganizationRequest,
} from './http/organization.js';
export {
  type Compatibility,
  COMPATIBILITIES,
  ApiKeyLimits,
  ApiKeyResponse,
  CreateApiKeyRequest,
  CreatedApiKeyResponse,
  UpdateApiKeyRequest,
} from './http/api-key.js';
export { MeResponse } from './http/me.js';
export { SessionResponse, SessionTimes, SignInCodeResponse, StartSessionRequest } from './http/session.js';
export { QueryUsage, TokenUsage, UsageDay, UsageDaysQuery, UsageDaysResponse, UsageResponse } from './http/usage.js';
export { UpsertDocument, UpsertRequest, UpsertResponse } from './http/upsert.js';
export { EmbedRequest, MAX_EMBEDDED_TEXTS, type EmbedResponse } from './internal/embed.js';
export {
  FragmentListRequest,
  MAX_LISTED_FRAGMENTS,
  type FragmentListResponse,
  type ListedFragment,
} from './internal/fragment-list.js';
export {
  AnswerRequest,
  HistoryMessage,
  SearchedDatastore,
  SearchRequest,
  SearchScope,
  type AnswerEvent,
  type CitedFragment,
  type FoundFragment,
  type SearchResponse,
  type DroppedFragment,
  type SearchTrace,
} from './internal/query-service.js';
export { type Availability, SystemBacklog, SystemBacklogClass, SystemQueue } from './http/system-queues.js';
export {
  SERVICE_NAMES,
  type ServiceName,
  SystemComponent,
  SystemDatabase,
  SystemDependency,
  SystemResponse,
  SystemService,
  type SystemServiceStatus,
} from './http/system.js';
export {
  SERVICE_REPORT_INTERVAL_MS,
  SERVICE_REPORT_PATHS,
  ServiceEnd,
  ServiceReport,
} from './internal/service-report.js';
export { CLAIM_REFUSALS, TOKEN_CLAIMS_PATH, TokenClaim, TokenGrant, type ClaimTokens } from './internal/token-claim.js';
export { DocumentOutcomeFound, DocumentToIndex } from './internal/found-documents.js';
export {
  IndexedVersionsRequest,
  IndexedVersionsResponse,
  MAX_CHECKPOINT_BYTES,
  MAX_RUN_BATCH,
  MAX_RUN_REQUEST_BYTES,
  OpenedRun,
  RecordDocumentsRequest,
  RecordDocumentsResponse,
  RUN_GATEWAY_PATHS,
  RunRef,
  RunStateResponse,
  RunStatesRequest,
  RunStatesResponse,
  type RunGateway,
  type RunState,
} from './internal/run-gateway.js';
export {
  CreatedWebhookResponse,
  CreateWebhookRequest,
  MAX_COUNTED_EVENTS,
  UpdateWebhookRequest,
  WebhookDelivery,
  WebhookDisabledReason,
  WebhookResponse,
} from './http/webhook.js';
export {
  CompareEvaluationsQuery,
  CreateEvaluationRequest,
  DEFAULT_EVALUATION_TOP_K,
  EvaluationQuestion,
  EvaluationSettings,
  FeedbackSelection,
  NewEvaluationDataset,
  RelevantReference,
} from './http/evaluation.js';
export {
  EvaluationComparison,
  MeasureComparison,
  type ComparedMeasure,
  type Verdict,
} from './http/evaluation-comparison.js';
export { EvaluationDatasetResponse } from './http/evaluation-dataset.js';
export {
  EvaluationError,
  EvaluationMeasure,
  EvaluationMetrics,
  EvaluationResponse,
  QUESTION_MEASURES,
  type EvaluationStatus,
} from './http/evaluation-response.js';
export {
  EvaluationQuestionResponse,
  EvaluationResult,
  MAX_RESULT_CHARACTERS,
  QuestionScores,
} from './http/evaluation-question-response.js';
export {
  type DeliveredEventType,
  TEST_EVENT,
  WEBHOOK_EVENTS,
  WebhookDatasource,
  WebhookEvent,
  type WebhookEventType,
  WebhookTestEvent,
} from './queues/webhook-event.js';
export {
  type AttemptErrorCode,
  DeliveryDetailResponse,
  type DeliveryFailure,
  DeliveryListQuery,
  DeliveryResponse,
  type DeliveryState,
  DeliveryTry,
  ENDED_DELIVERY_STATES,
  type EndedDeliveryState,
  MAX_RESENT_DELIVERIES,
  MAX_RESPONSE_CHARACTERS,
  MAX_STORED_TRIES,
  ResendDeliveriesRequest,
  ResendDeliveriesResponse,
  RotatedSecretResponse,
  RotateSecretQuery,
} from './http/webhook-delivery.js';
export {
  DEFAULT_PAGE_PICTURE_WIDTH,
  MAX_PAGE_PICTURE_WIDTH,
  PAGE_PICTURE_WIDTHS,
  PagePictureQuery,
} from './http/page-picture.js';
export {
  PAGE_PICTURE_FAILURES,
  PagePictureFailure,
  type PagePictureFailureCode,
  type PagePictureJobs,
  pagePictureQueue,
  RenderPage,
} from './queues/page-pictures.js';
export { DeliverWebhook, webhookQueue, type WebhookJobs } from './queues/webhooks.js';
export { ExcludedContent, ExcludedDocument } from './internal/excluded-content.js';
export { INDEXING_VERSION } from './indexing-version.js';
export { VERSION } from './version.js';
export {
  LocalModelsResponse,
  MODEL_PROVIDERS,
  ModelConnectionRequest,
  ModelConnectionResponse,
  ModelConnectionsResponse,
  ModelConnectionTestResponse,
  type ModelProvider,
} from './http/model-connections.js';
export {
  ConfiguredProvider,
  ConnectedProvider,
  MODEL_PATHS,
  ModelListRequest,
  ModelListResponse,
  ModelTestRequest,
  ModelTestResponse,
} from './internal/model-connections.js';
