import type { AnswerEvent } from '@quarry/contracts';
import { ModelFailed, type ModelFailure } from '../models/chat-model.js';
import { KnowledgeUnavailable } from '../retrieval/retrieve.js';

/** The service ends before the answer does. */
export class ServiceStopping extends Error {
  constructor() {
    super('the service is stopping');
    this.name = 'ServiceStopping';
  }
}

type Failed = Extract<AnswerEvent, { type: 'failed' }>;

/** For people, and without a provider's own words, which may quote keys and addresses. */
const MODEL_MESSAGES: Readonly<Record<ModelFailure, string>> = {
  model_rate_limited: 'The model’s provider is at its limit. Try again in a moment.',
  model_unavailable: 'The model did not answer in time. Try again in a moment.',
  model_refused: 'The model’s provider refused the request. The service’s log says why.',
  context_too_long: 'Question, history and instructions together are longer than the model can read.',
};

/** What the caller is told of a failure in the middle of an answer. */
export function toFailedEvent(error: unknown): Failed {
  if (error instanceof ModelFailed) return failed(error.code, MODEL_MESSAGES[error.code]);
  if (error instanceof KnowledgeUnavailable) {
    return failed('dependency_unavailable', 'The knowledge cannot be searched now. Try again in a moment.');
  }
  if (error instanceof ServiceStopping) {
    return failed('service_stopping', 'The service was stopped before the answer was complete. Ask again.');
  }
  return failed('internal_error', 'The answer could not be completed. It was not your doing.');
}

function failed(code: string, message: string): Failed {
  return { type: 'failed', code, message };
}
