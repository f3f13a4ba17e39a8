import { parseRetryAfter } from '@quarry/http-headers';
import { property } from './property.js';

/** What a failed request means: trying again may help, at the earliest after `afterMs` where the provider said so, or it cannot. */
export type Verdict =
  | { readonly again: true; readonly reason: string; readonly afterMs: number | null }
  | { readonly again: false; readonly reason: string };

/** Too slow, in conflict with itself, too early: with 429 and 5xx, the answers that a later request may not get. RFC 9110, RFC 8470. */
const PASSING = new Set([408, 409, 425, 429]);
const MAX_REASON = 300;
/** LangChain ends some messages with a link to its own manual. */
const LANGCHAIN_ADVICE = '\n\nTroubleshooting URL';

const OVERFLOW = 'ContextOverflowError';

/** Judges what LangChain's client threw: an answer with a status, no answer, or an answer that it cannot read. */
export function verdictOn(error: unknown): Verdict {
  const reason = reasonOf(error);
  const status = property(error, 'status');
  if (typeof status === 'number') {
    const passing = (PASSING.has(status) || status >= 500) && !isOutOfQuota(error);
    return passing ? { again: true, reason, afterMs: retryAfterMs(error) } : { again: false, reason };
  }
  // LangChain recognises a text that is too long by the message, and drops the status.
  if (error instanceof Error && error.name === OVERFLOW) return { again: false, reason };
  // The client reads fields of the parsed body without checks: a body of another shape is a TypeError. `fetch` throws TypeErrors
  // for connections that fail, with the cause.
  if (error instanceof TypeError && error.cause === undefined) {
    return { again: true, reason: 'the answer is not a list of embeddings', afterMs: null };
  }
  return { again: true, reason, afterMs: null };
}

/** Request too large or invalid: what servers answer to too many texts, or to one that is too long. RFC 9110. */
const TOO_LARGE = new Set<unknown>([400, 413, 422]);

/** Returns whether a refused request may be accepted with fewer or shorter texts. */
export function isPerhapsTooLarge(error: unknown): boolean {
  return TOO_LARGE.has(property(error, 'status')) || (error instanceof Error && error.name === OVERFLOW);
}

/** A quota that is used up is reported as 429 too, but waiting does not fill it. */
function isOutOfQuota(error: unknown): boolean {
  return property(error, 'code') === 'insufficient_quota' || property(error, 'type') === 'insufficient_quota';
}

function retryAfterMs(error: unknown): number | null {
  const headers = property(error, 'headers');
  return (headers instanceof Headers ? parseRetryAfter(headers.get('retry-after')) : undefined) ?? null;
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? ` (${nameOf(innermost(error.cause))})` : '';
  const [message = ''] = error.message.split(LANGCHAIN_ADVICE);
  return `${message}${cause}`.replace(/\s+/g, ' ').slice(0, MAX_REASON);
}

/** Names a failed connection by its code: users read the reason, and the message contains the provider's address. */
function nameOf(cause: Error): string {
  const code = property(cause, 'code');
  return typeof code === 'string' ? code : cause.name;
}

function innermost(error: Error): Error {
  return error.cause instanceof Error && error.cause !== error ? innermost(error.cause) : error;
}
