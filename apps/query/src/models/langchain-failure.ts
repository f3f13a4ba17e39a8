import { parseRetryAfter } from '@quarry/http-headers';
import { ModelFailed } from './chat-model.js';

/** Statuses of which a later call may be free, besides 5xx. RFC 9110, RFC 8470. */
const TRANSIENT = new Set([409, 425]);
const TIMEOUT = new Set([408, 504]);
/** How the providers say it; no status and no code of theirs is only for this. */
const TOO_LONG =
  /context[ _]?(length|window)|prompt is too long|token count .*exceeds|too many tokens|input is too long/i;
const OVERFLOW = 'ContextOverflowError';
const MAX_REASON = 300;
/** LangChain ends some messages with a link to its own manual. */
const LANGCHAIN_ADVICE = '\n\nTroubleshooting URL';

/** Converts what LangChain's clients throw: a response with an error status, no response, or one that cannot be parsed. */
export function toModelFailed(model: string, error: unknown): ModelFailed {
  if (error instanceof ModelFailed) return error;
  const message = `${model}: ${reasonOf(error)}`;
  const status = numberOf(error, 'status') ?? numberOf(error, 'statusCode');
  const failure = { cause: error, status, afterMs: retryAfterMs(error) };
  if (isTooLong(error, status)) return new ModelFailed('context_too_long', message, failure);
  if (status === 429)
    return new ModelFailed('model_rate_limited', message, { ...failure, again: !isOutOfQuota(error) });
  const transient = { ...failure, again: true };
  if (status === undefined) {
    return new ModelFailed(isUnreadable(error) ? 'model_invalid_response' : 'model_unavailable', message, transient);
  }
  if (TIMEOUT.has(status)) return new ModelFailed('model_timeout', message, transient);
  if (status >= 500 || TRANSIENT.has(status)) return new ModelFailed('model_unavailable', message, transient);
  return new ModelFailed('model_refused', message, failure);
}

function isTooLong(error: unknown, status: number | undefined): boolean {
  if (!(error instanceof Error)) return false;
  return error.name === OVERFLOW || status === 413 || (status === 400 && TOO_LONG.test(error.message));
}

/** The clients read the parsed body without checks, so that a body of another shape is a TypeError. `fetch` throws its own with a cause. */
function isUnreadable(error: unknown): boolean {
  return error instanceof SyntaxError || (error instanceof TypeError && error.cause === undefined);
}

/** A quota that is used up is reported as 429 too, but waiting does not fill it. */
function isOutOfQuota(error: unknown): boolean {
  return property(error, 'code') === 'insufficient_quota' || property(error, 'type') === 'insufficient_quota';
}

function retryAfterMs(error: unknown): number | undefined {
  const headers = property(error, 'headers');
  const value = headers instanceof Headers ? headers.get('retry-after') : property(headers, 'retry-after');
  return typeof value === 'string' ? parseRetryAfter(value) : undefined;
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? ` (${error.cause.message})` : '';
  const [message = ''] = error.message.split(LANGCHAIN_ADVICE);
  return `${message}${cause}`.replace(/\s+/g, ' ').slice(0, MAX_REASON);
}

function numberOf(value: unknown, name: string): number | undefined {
  const found = property(value, name);
  return typeof found === 'number' ? found : undefined;
}

function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
