import type { AnswerEvent } from '@quarry/contracts';
import { ModelFailed, type ModelFailure } from '../models/chat-model.js';
import { KnowledgeUnavailable } from '../retrieval/retrieve.js';
import { SearchOverloaded } from '../retrieval/search-admission.js';

/** The service ends before the answer does. */
export class ServiceStopping extends Error {
  constructor() {
    super('the service is stopping');
    this.name = 'ServiceStopping';
  }
}

type Failed = Extract<AnswerEvent, { type: 'failed' }>;

/** For people, and without a provider's own words, which may quote keys and addresses. */
const MODEL_MESSAGES: Readonly<Record<ModelFailure, (failure: ModelFailed) => string>> = {
  model_rate_limited: () => 'The model’s provider limits the rate of requests. Try again later.',
  model_unavailable: ({ status }) =>
    status === undefined
      ? 'The model’s provider cannot be reached, or closed the connection. Try again later.'
      : `The model’s provider reported a fault of its own (HTTP ${status}). Try again later.`,
  model_timeout: () => 'The model did not answer in time. Try again later.',
  model_invalid_response: () =>
    'A text was expected from the model, and its provider sent none, or something that cannot be parsed.',
  model_interrupted: () => 'The model’s provider interrupted the answer before its end. Ask again.',
  model_refused: () => 'The model’s provider refused the request. The service’s log says why.',
  model_parameter_refused: ({ refused }) =>
    `The model refuses ${Object.entries(refused)
      .map(([name, value]) => `${name} = ${String(value)}`)
      .join(' and ')}. Choose another value, or leave it out.`,
  context_too_long: () => 'Question, history and instructions together are longer than the model can read.',
};

/** Returns what the caller receives when an answer fails. */
export function toFailedEvent(error: unknown): Failed {
  if (error instanceof ModelFailed) {
    return { ...failed(error.code, MODEL_MESSAGES[error.code](error)), ...retryAfter(error.afterMs) };
  }
  if (error instanceof KnowledgeUnavailable) {
    return failed('dependency_unavailable', 'The knowledge cannot be searched now. Try again in a moment.');
  }
  if (error instanceof SearchOverloaded) {
    const { retryAfterSeconds } = error;
    return { ...failed('overloaded', 'Too many searches run and wait. Try again later.'), retryAfterSeconds };
  }
  if (error instanceof ServiceStopping) {
    return failed('service_stopping', 'The service was stopped before the answer was complete. Ask again.');
  }
  return failed('internal_error', 'The answer could not be completed. It was not your doing.');
}

function failed(code: string, message: string): Failed {
  return { type: 'failed', code, message };
}

/** Rounded up: a caller that comes back earlier is refused again. */
function retryAfter(ms: number | undefined): Pick<Failed, 'retryAfterSeconds'> {
  return ms === undefined ? {} : { retryAfterSeconds: Math.ceil(ms / 1_000) };
}
