import { BASIC_PROBLEMS, problemMaker, type ProblemKind } from '@quarry/service-kit';

/** Every refusal of the public API, by its code. Codes are stable: clients branch on them. */
export const PROBLEMS = {
  ...BASIC_PROBLEMS,
  usage_limit_reached: { status: 402, title: 'The usage limit is reached' },
  file_missing: { status: 400, title: 'The file is missing' },
  file_empty: { status: 400, title: 'The file is empty' },
  context_too_long: { status: 400, title: 'The prompt is too long for the model' },
  model_parameter_refused: { status: 400, title: 'The model refuses the value of a parameter' },
  insufficient_scope: { status: 403, title: 'The key lacks a scope' },
  key_limited: { status: 403, title: 'The key is limited to given agents or datastores' },
  default_organization: { status: 409, title: 'The default organization stays' },
  root_key: { status: 409, title: 'The root key is set by the configuration' },
  datasource_type_fixed: { status: 409, title: 'The datasource is of another type' },
  nothing_to_cancel: { status: 409, title: 'No run is under way' },
  idempotency_key_reused: { status: 409, title: 'The Idempotency-Key belongs to another request' },
  idempotency_key_in_use: { status: 409, title: 'The same request is being carried out' },
  too_many_webhooks: { status: 409, title: 'There are too many webhooks' },
  run_under_way: { status: 409, title: 'A run is under way' },
  nothing_to_sync: { status: 409, title: 'The datasource holds nothing to sync' },
  file_too_large: { status: 413, title: 'The file is too large' },
  too_many_documents: { status: 413, title: 'There are too many documents' },
  model_not_configured: { status: 424, title: 'The model is not configured here' },
  too_many_refusals: { status: 429, title: 'Too many requests without a valid key' },
  rate_limited: { status: 429, title: 'The key asks too often' },
  model_refused: { status: 502, title: 'The model refused to answer' },
  model_unavailable: { status: 503, title: 'The model is not available' },
  model_rate_limited: { status: 503, title: 'The model is asked too often' },
  model_invalid_response: { status: 502, title: 'The model gave no valid response' },
  model_interrupted: { status: 502, title: 'The answer was interrupted' },
  model_timeout: { status: 504, title: 'The model did not answer in time' },
  overloaded: { status: 503, title: 'The service is overloaded' },
  answer_failed: { status: 502, title: 'There was no answer' },
  service_stopping: { status: 503, title: 'The service is stopping' },
} as const satisfies Record<string, ProblemKind>;

export type ProblemCode = keyof typeof PROBLEMS;

export const problem = problemMaker(PROBLEMS);
