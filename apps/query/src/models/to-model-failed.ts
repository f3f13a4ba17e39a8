import { parseRetryAfter } from '@quarry/http-responses';
import { ModelFailed } from './chat-model.js';
import { getProperty } from './get-property.js';

/** HTTP statuses, besides 408, 429 and 5xx, after which a retry may succeed: 409 (RFC 9110) and 425 (RFC 8470). */
const TRANSIENT = new Set([409, 425]);
const TIMEOUT = new Set([408, 504]);
/** Matches providers' messages about a prompt that is too long. Not every provider sends a code for this failure. */
const TOO_LONG =
  /context[ _]?(length|window)|prompt is too long|token count .*exceeds|too many tokens|input is too long/i;
const OVERFLOW = 'ContextOverflowError';
const MAX_REASON_LENGTH = 300;
/** Start of the link to LangChain's documentation, which LangChain appends to some messages. */
const LANGCHAIN_LINK = '\n\nTroubleshooting URL';

/**
 * Converts an error that the client of a provider threw to `ModelFailed`. Causes of such errors are an error status, a
 * missing response, and a response that cannot be parsed.
 */
export function toModelFailed(model: string, error: unknown): ModelFailed {
  if (error instanceof ModelFailed) return error;
  const message = `${model}: ${describeFailureReason(error)}`;
  const status = readNumberProperty(error, 'status') ?? readNumberProperty(error, 'statusCode');
  const failure = { cause: error, status, afterMs: readRetryAfterMs(error) };
  if (isPromptTooLong(error, status)) return new ModelFailed('context_too_long', message, failure);
  if (status === 429)
    return new ModelFailed('model_rate_limited', message, { ...failure, isRetryable: !isOutOfQuota(error) });
  const transient = { ...failure, isRetryable: true };
  if (status === undefined) {
    return new ModelFailed(
      isUnreadableResponse(error) ? 'model_invalid_response' : 'model_unavailable',
      message,
      transient,
    );
  }
  if (TIMEOUT.has(status)) return new ModelFailed('model_timeout', message, transient);
  if (status >= 500 || TRANSIENT.has(status)) return new ModelFailed('model_unavailable', message, transient);
  return new ModelFailed('model_refused', message, failure);
}

function isPromptTooLong(error: unknown, status: number | undefined): boolean {
  if (!(error instanceof Error)) return false;
  if (getProperty(error, 'code') === 'context_length_exceeded') return true;
  return error.name === OVERFLOW || status === 413 || (status === 400 && TOO_LONG.test(error.message));
}

/**
 * Returns whether an error means that the response is too long or malformed. For unexpected JSON, clients throw a
 * TypeError without a cause. A TypeError of `fetch` has a cause, and means that there was no response.
 */
function isUnreadableResponse(error: unknown): boolean {
  return (
    error instanceof SyntaxError ||
    error instanceof RangeError ||
    (error instanceof TypeError && error.cause === undefined)
  );
}

/**
 * Detects an exhausted quota. Providers report it with status 429, like a rate limit, but a retry cannot resolve it.
 */
function isOutOfQuota(error: unknown): boolean {
  return getProperty(error, 'code') === 'insufficient_quota' || getProperty(error, 'type') === 'insufficient_quota';
}

function readRetryAfterMs(error: unknown): number | undefined {
  const headers = getProperty(error, 'headers');
  const value = headers instanceof Headers ? headers.get('retry-after') : getProperty(headers, 'retry-after');
  return typeof value === 'string' ? parseRetryAfter(value) : undefined;
}

function describeFailureReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? ` (${error.cause.message})` : '';
  const [message = ''] = error.message.split(LANGCHAIN_LINK);
  // The failed connections to several addresses are one error, which has a code and no message.
  const code = getProperty(error, 'code');
  const reason = message === '' && typeof code === 'string' ? code : message;
  return `${reason}${cause}`.replace(/\s+/g, ' ').slice(0, MAX_REASON_LENGTH).toWellFormed();
}

function readNumberProperty(value: unknown, name: string): number | undefined {
  const found = getProperty(value, name);
  return typeof found === 'number' ? found : undefined;
}
