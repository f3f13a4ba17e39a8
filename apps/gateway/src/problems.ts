import { BASIC_PROBLEMS, createProblemFactory, type ProblemKind } from '@quarry/service-kit';

/**
 * Defines the status and title of each problem code of the public API. Codes are stable, because clients branch on
 * them.
 */
export const PROBLEMS = {
  ...BASIC_PROBLEMS,
  usage_limit_reached: { status: 402, title: 'The usage limit is reached' },
  file_missing: { status: 400, title: 'The file is missing' },
  datastore_expired: { status: 400, title: 'The datastore has expired' },
  file_empty: { status: 400, title: 'The file is empty' },
  context_too_long: { status: 400, title: 'The prompt is too long for the model' },
  model_parameter_refused: { status: 400, title: 'The model refuses the value of a parameter' },
  insufficient_scope: { status: 403, title: 'The API key lacks a required scope' },
  cross_origin_request: { status: 403, title: 'The request comes from another origin' },
  key_limited: { status: 403, title: 'The API key is limited to certain agents or datastores' },
  default_organization: { status: 409, title: 'The default organization cannot be deleted' },
  root_key: { status: 409, title: 'Only the configuration can change the root key' },
  no_original: { status: 404, title: 'The datasource has no original file' },
  no_page_pictures: { status: 404, title: 'The datasource has no pages that can be shown' },
  page_not_found: { status: 404, title: 'The file has no page with this number' },
  range_not_satisfiable: { status: 416, title: 'The range is outside the file' },
  datasource_type_fixed: { status: 409, title: 'The address belongs to a datasource of another type' },
  nothing_to_cancel: { status: 409, title: 'No run is in progress' },
  idempotency_key_reused: { status: 409, title: 'The Idempotency-Key belongs to another request' },
  idempotency_key_in_use: { status: 409, title: 'The same request is in progress' },
  too_many_webhooks: { status: 409, title: 'The organization has too many webhooks' },
  too_many_secrets: { status: 409, title: 'The webhook has too many valid secrets' },
  test_event: { status: 409, title: 'Test events cannot be resent' },
  too_many_evaluations: { status: 409, title: 'The organization has too many evaluations' },
  evaluations_not_comparable: { status: 409, title: 'The evaluations cannot be compared' },
  set_by_environment: { status: 409, title: 'Only the environment can change the model provider' },
  run_under_way: { status: 409, title: 'A run is in progress' },
  nothing_to_sync: { status: 409, title: 'The datasource has no content to sync' },
  sign_in_code_used: { status: 410, title: 'The one-time code was already used' },
  sign_in_code_expired: { status: 410, title: 'The one-time code has expired' },
  file_too_large: { status: 413, title: 'The file is too large' },
  too_many_documents: { status: 413, title: 'The request has too many documents' },
  page_unreadable: { status: 422, title: 'The page cannot be rendered' },
  model_connection_failed: { status: 422, title: 'The model did not respond as expected' },
  model_not_configured: { status: 424, title: 'The model is not configured' },
  too_many_refusals: { status: 429, title: 'Too many requests without a valid API key' },
  too_many_streams: { status: 429, title: 'Too many event streams are open' },
  rate_limited: { status: 429, title: 'The API key exceeded its rate limit' },
  too_many_page_renders: { status: 429, title: 'The organization renders too many pages at once' },
  too_many_dry_runs: { status: 429, title: 'The organization has too many dry runs in progress' },
  too_many_test_events: { status: 429, title: 'The webhook got too many test events' },
  model_refused: { status: 502, title: 'The model refused to answer' },
  model_unavailable: { status: 503, title: 'The model is not available' },
  model_rate_limited: { status: 503, title: 'The model provider limits the request rate' },
  model_invalid_response: { status: 502, title: 'The model returned an invalid response' },
  model_interrupted: { status: 502, title: 'The answer was interrupted' },
  model_timeout: { status: 504, title: 'The model did not answer in time' },
  overloaded: { status: 503, title: 'The service is overloaded' },
  page_not_rendered: { status: 503, title: 'The page is not rendered yet' },
  answer_failed: { status: 502, title: 'The answer failed' },
  service_stopping: { status: 503, title: 'The service is shutting down' },
} as const satisfies Record<string, ProblemKind>;

export type ProblemCode = keyof typeof PROBLEMS;

export const problem = createProblemFactory(PROBLEMS);
