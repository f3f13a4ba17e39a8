import type { AnswerEvent } from '@quarry/contracts';
import { ModelFailed, type ModelFailure } from '../models/chat-model.js';
import { KnowledgeUnavailable } from '../retrieval/retrieve.js';
import { SearchOverloaded } from '../retrieval/search-admission.js';

/** Error that reports that the query service was stopped before an answer was complete. */
export class ServiceStopping extends Error {
  constructor() {
    super('the service is stopping');
    this.name = 'ServiceStopping';
  }
}

type Failed = Extract<AnswerEvent, { type: 'failed' }>;

/**
 * Maps each kind of model failure to a function that returns the message for users. The messages never quote the
 * response of the provider, which may contain keys and addresses.
 */
const MODEL_MESSAGES: Readonly<Record<ModelFailure, (failure: ModelFailed) => string>> = {
  model_rate_limited: () => 'The model’s provider limited the request rate. Try again later.',
  model_unavailable: ({ status }) =>
    status === undefined
      ? 'The model’s provider cannot be reached, or closed the connection. Try again later.'
      : `The model’s provider reported an error (HTTP ${status}). Try again later.`,
  model_timeout: () => 'The model did not answer in time. Try again later.',
  model_invalid_response: () =>
    'Expected text from the model, but its provider sent none or a response that cannot be parsed. Try again later.',
  model_interrupted: () => 'The model’s provider interrupted the answer before its end. Send the question again.',
  model_refused: () => 'The model’s provider refused the request. See the service’s log for the reason.',
  model_parameter_refused: ({ refused }) =>
    `The model refuses ${Object.entries(refused)
      .map(([name, value]) => `${name} = ${String(value)}`)
      .join(' and ')}. Use another value or omit the setting.`,
  context_too_long: () =>
    'The question, history and instructions are longer than the context window of the model. Shorten them.',
};

/** Converts the error of a failed answer to the `failed` event that the caller receives. */
export function toFailedEvent(error: unknown): Failed {
  if (error instanceof ModelFailed) {
    return { ...buildFailedEvent(error.code, MODEL_MESSAGES[error.code](error)), ...formatRetryAfter(error.afterMs) };
  }
  if (error instanceof KnowledgeUnavailable) {
    return buildFailedEvent(
      'dependency_unavailable',
      'The search of the datastores is unavailable. Retry in a few seconds.',
    );
  }
  if (error instanceof SearchOverloaded) {
    const { retryAfterSeconds } = error;
    return {
      ...buildFailedEvent('overloaded', 'Too many searches are running and queued. Try again later.'),
      retryAfterSeconds,
    };
  }
  if (error instanceof ServiceStopping) {
    return buildFailedEvent(
      'service_stopping',
      'The service was stopped before the answer was complete. Send the question again.',
    );
  }
  return buildFailedEvent('internal_error', 'An internal error prevented the answer. Try again later.');
}

function buildFailedEvent(code: string, message: string): Failed {
  return { type: 'failed', code, message };
}

/**
 * Converts a retry delay to seconds. Rounds up, because the provider would refuse a retry before the end of the delay.
 */
function formatRetryAfter(ms: number | undefined): Pick<Failed, 'retryAfterSeconds'> {
  return ms === undefined ? {} : { retryAfterSeconds: Math.ceil(ms / 1_000) };
}
