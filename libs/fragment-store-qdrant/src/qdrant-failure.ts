import { QdrantClientResourceExhaustedError } from '@qdrant/js-client-rest';

const LONGEST_DETAIL = 500;

/** What the server did not do, where it is, and why. */
export class QdrantFailure extends Error {
  constructor(url: string, operation: string, cause: unknown) {
    super(`Qdrant at ${url} was to ${operation}: ${detailOf(cause).slice(0, LONGEST_DETAIL)}`, { cause });
    this.name = 'QdrantFailure';
  }
}

/** The status of an answer that was an error, where there was an answer. */
export function statusOf(error: unknown): number | undefined {
  const status = property(error, 'status');
  return typeof status === 'number' ? status : undefined;
}

/** Whether the same request may succeed later: too many requests, an error of the server itself, or no answer at all. */
export function isPassing(error: unknown): boolean {
  const status = statusOf(error);
  if (status !== undefined) return status === 429 || status >= 500;
  // What fetch throws when the connection was refused or broken is a TypeError with the reason as its cause.
  return error instanceof QdrantClientResourceExhaustedError || (error instanceof TypeError && 'cause' in error);
}

function detailOf(cause: unknown): string {
  const explained = property(property(property(cause, 'data'), 'status'), 'error');
  if (typeof explained === 'string') return `${String(statusOf(cause))} ${explained}`;
  const reason = property(property(cause, 'cause'), 'message');
  const message = cause instanceof Error ? cause.message : String(cause);
  return typeof reason === 'string' && reason !== '' ? `${message}: ${reason}` : message;
}

function property(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && key in value ? Reflect.get(value, key) : undefined;
}
