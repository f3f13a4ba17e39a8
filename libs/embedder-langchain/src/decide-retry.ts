import { parseRetryAfter } from '@quarry/http-responses';
import { getFieldOrUndefined } from './get-field-or-undefined.js';

/**
 * States whether a failed request can be retried, and after which delay in milliseconds. `afterMs` is null if the
 * provider requires no delay.
 */
export type RetryDecision =
  | { readonly canRetry: true; readonly reason: string; readonly afterMs: number | null }
  | { readonly canRetry: false; readonly reason: string };

/**
 * Lists the HTTP statuses of temporary failures besides 5xx: timeout, conflict, too early, too many requests (RFC 9110,
 * RFC 8470, RFC 6585).
 */
const TEMPORARY_STATUSES = new Set([408, 409, 425, 429]);
const MAX_REASON = 300;
/** Start of the text with a link to the LangChain manual, which LangChain appends to some messages. */
const LANGCHAIN_ADVICE = '\n\nTroubleshooting URL';

const OVERFLOW = 'ContextOverflowError';

/** Decides whether to retry after an error of LangChain's client or of `fetch`. */
export function decideRetry(error: unknown): RetryDecision {
  const reason = describeErrorReason(error);
  const status = getFieldOrUndefined(error, 'status');
  if (typeof status === 'number') {
    const isTemporary = (TEMPORARY_STATUSES.has(status) || status >= 500) && !isQuotaExceeded(error);
    return isTemporary ? { canRetry: true, reason, afterMs: readRetryAfterMs(error) } : { canRetry: false, reason };
  }
  // For a text that is too long, LangChain throws a `ContextOverflowError` without the status of the response.
  if (error instanceof Error && error.name === OVERFLOW) return { canRetry: false, reason };
  // The client reads fields of the parsed body without checks, so a body with another format causes a TypeError. For
  // failed connections, `fetch` throws TypeErrors with a cause.
  if (error instanceof TypeError && error.cause === undefined) {
    return { canRetry: true, reason: 'the response is not a list of embeddings', afterMs: null };
  }
  return { canRetry: true, reason, afterMs: null };
}

/** Lists the HTTP statuses for too many texts, or for a text that is too long (RFC 9110). */
const TOO_LARGE = new Set<unknown>([400, 413, 422]);

/** Returns true if the provider may accept a rejected request with fewer or shorter texts. */
export function isPossiblyTooLargeRequest(error: unknown): boolean {
  return TOO_LARGE.has(getFieldOrUndefined(error, 'status')) || (error instanceof Error && error.name === OVERFLOW);
}

/**
 * Returns true if the quota of the provider's account is used up. The status is 429, as for too many requests, but a
 * retry does not help.
 */
function isQuotaExceeded(error: unknown): boolean {
  return (
    getFieldOrUndefined(error, 'code') === 'insufficient_quota' ||
    getFieldOrUndefined(error, 'type') === 'insufficient_quota'
  );
}

function readRetryAfterMs(error: unknown): number | null {
  const headers = getFieldOrUndefined(error, 'headers');
  return (headers instanceof Headers ? parseRetryAfter(headers.get('retry-after')) : undefined) ?? null;
}

function describeErrorReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? ` (${describeConnectionError(findInnermostError(error.cause))})` : '';
  const [message = ''] = error.message.split(LANGCHAIN_ADVICE);
  return `${message}${cause}`.replace(/\s+/g, ' ').slice(0, MAX_REASON).toWellFormed();
}

/**
 * Describes a failed connection by its error code, because the error message would show the address of the provider to
 * users.
 */
function describeConnectionError(cause: Error): string {
  const code = getFieldOrUndefined(cause, 'code');
  return typeof code === 'string' ? code : cause.name;
}

function findInnermostError(error: Error): Error {
  return error.cause instanceof Error && error.cause !== error ? findInnermostError(error.cause) : error;
}
