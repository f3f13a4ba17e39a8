import { ModelFailed } from './chat-model.js';

/** Too slow, in conflict with itself, too early: with 5xx, what a later call may not get. RFC 9110, RFC 8470. */
const PASSING = new Set([408, 409, 425]);
/** How the providers say it; no status and no code of theirs is only for this. */
const TOO_LONG =
  /context[ _]?(length|window)|prompt is too long|token count .*exceeds|too many tokens|input is too long/i;
const OVERFLOW = 'ContextOverflowError';
const MAX_REASON = 300;
/** LangChain ends some messages with a link to its own manual. */
const LANGCHAIN_ADVICE = '\n\nTroubleshooting URL';

/** Judges what LangChain's clients throw: an answer with a status, no answer, or one that cannot be read. */
export function toModelFailed(model: string, error: unknown): ModelFailed {
  if (error instanceof ModelFailed) return error;
  const message = `${model}: ${reasonOf(error)}`;
  const status = numberOf(error, 'status') ?? numberOf(error, 'statusCode');
  if (isTooLong(error, status)) return new ModelFailed('context_too_long', message, { cause: error });
  if (status === 429) {
    const again = !isOutOfQuota(error);
    return new ModelFailed('model_rate_limited', message, { cause: error, again, afterMs: retryAfterMs(error) });
  }
  if (status === undefined || status >= 500 || PASSING.has(status)) {
    return new ModelFailed('model_unavailable', message, { cause: error, again: true, afterMs: retryAfterMs(error) });
  }
  return new ModelFailed('model_refused', message, { cause: error });
}

function isTooLong(error: unknown, status: number | undefined): boolean {
  if (!(error instanceof Error)) return false;
  return error.name === OVERFLOW || status === 413 || (status === 400 && TOO_LONG.test(error.message));
}

/** A quota that is used up is reported as 429 too, but waiting does not fill it. */
function isOutOfQuota(error: unknown): boolean {
  return property(error, 'code') === 'insufficient_quota' || property(error, 'type') === 'insufficient_quota';
}

/** `Retry-After` is seconds or a date: RFC 9110, section 10.2.3. */
function retryAfterMs(error: unknown): number | undefined {
  const headers = property(error, 'headers');
  const value = headers instanceof Headers ? headers.get('retry-after') : property(headers, 'retry-after');
  if (typeof value !== 'string') return undefined;
  const seconds = Number(value);
  const ms = Number.isFinite(seconds) ? seconds * 1_000 : Date.parse(value) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
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
