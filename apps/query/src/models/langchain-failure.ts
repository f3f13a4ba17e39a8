import { parseRetryAfter } from '@quarry/http-headers';
import { ModelFailed } from './chat-model.js';

/** HTTP statuses after which a retry may succeed, besides 5xx (RFC 9110, RFC 8470). */
const TRANSIENT = new Set([409, 425]);
const TIMEOUT = new Set([408, 504]);
/** Matches the messages of the providers, which have neither a status nor a code for this failure only. */
const TOO_LONG =
  /context[ _]?(length|window)|prompt is too long|token count .*exceeds|too many tokens|input is too long/i;
const OVERFLOW = 'ContextOverflowError';
const MAX_REASON_LENGTH = 300;
/** Start of the link to LangChain's manual, which LangChain appends to some messages. */
const LANGCHAIN_LINK = '\n\nTroubleshooting URL';

/** Converts an error of a LangChain client: a response with an error status, no response, or one that cannot be parsed. */
export function toModelFailed(model: string, error: unknown): ModelFailed {
  if (error instanceof ModelFailed) return error;
  const message = `${model}: ${reasonOf(error)}`;
  const status = numberOf(error, 'status') ?? numberOf(error, 'statusCode');
  const failure = { cause: error, status, afterMs: retryAfterMs(error) };
  if (isTooLong(error, status)) return new ModelFailed('context_too_long', message, failure);
  if (status === 429)
    return new ModelFailed('model_rate_limited', message, { ...failure, isRetryable: !isOutOfQuota(error) });
  const transient = { ...failure, isRetryable: true };
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

/** Detects a response of another shape, on which the clients fail with a TypeError. The TypeError of `fetch` has a cause. */
function isUnreadable(error: unknown): boolean {
  return error instanceof SyntaxError || (error instanceof TypeError && error.cause === undefined);
}

/** Detects a used-up quota, which is also reported as 429 but cannot be resolved by a retry. */
function isOutOfQuota(error: unknown): boolean {
  return getProperty(error, 'code') === 'insufficient_quota' || getProperty(error, 'type') === 'insufficient_quota';
}

function retryAfterMs(error: unknown): number | undefined {
  const headers = getProperty(error, 'headers');
  const value = headers instanceof Headers ? headers.get('retry-after') : getProperty(headers, 'retry-after');
  return typeof value === 'string' ? parseRetryAfter(value) : undefined;
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? ` (${error.cause.message})` : '';
  const [message = ''] = error.message.split(LANGCHAIN_LINK);
  return `${message}${cause}`.replace(/\s+/g, ' ').slice(0, MAX_REASON_LENGTH);
}

function numberOf(value: unknown, name: string): number | undefined {
  const found = getProperty(value, name);
  return typeof found === 'number' ? found : undefined;
}

function getProperty(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
