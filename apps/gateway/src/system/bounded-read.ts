import { createTimedRead } from '@quarry/cancellation';
import { redactCredentials } from '@quarry/service-kit';
import { redactQueryParameters } from '../database/query-error.js';

/** The outcome of a read: the value, or the reason why there is no value. */
export type Outcome<Value> =
  { readonly value: Value; readonly reason: null } | { readonly value: undefined; readonly reason: string };

const TIMEOUT_MS = 2_000;

/**
 * Creates a function that calls `read` and waits at most `timeoutMs` for its value, as `createTimedRead` does. Returns
 * the reason instead of throwing an error.
 */
export function createBoundedRead<Value>(
  read: () => Promise<Value>,
  timeoutMs: number = TIMEOUT_MS,
): () => Promise<Outcome<Value>> {
  const readInTime = createTimedRead(read, timeoutMs);
  return async () => {
    try {
      return { value: await readInTime(), reason: null };
    } catch (error) {
      return { value: undefined, reason: redactCredentials(describeError(error)) };
    }
  };
}

/** Returns the message of an error. For a failed query or request, returns the message of the cause of the error. */
function describeError(thrown: unknown): string {
  const error = redactQueryParameters(thrown);
  if (!(error instanceof Error)) return String(error);
  if (error.cause instanceof Error) return describeError(error.cause);
  if (error instanceof AggregateError && error.message === '') return error.errors.map(describeError).join(', ');
  return error.message;
}
