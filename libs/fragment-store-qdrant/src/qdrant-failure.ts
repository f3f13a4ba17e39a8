import { QdrantClientResourceExhaustedError } from '@qdrant/js-client-rest';

const MAX_DETAIL_CHARACTERS = 500;

/** Reports a failed operation, with the URL of the server and the reason. */
export class QdrantFailure extends Error {
  constructor(url: string, operation: string, cause: unknown) {
    super(`Qdrant at ${url} failed to ${operation}: ${getErrorDetail(cause).slice(0, MAX_DETAIL_CHARACTERS)}`, {
      cause,
    });
    this.name = 'QdrantFailure';
  }
}

/** Returns the status of an error response, or undefined if there was no response. */
export function getHttpStatus(error: unknown): number | undefined {
  const status = getPropertyOrUndefined(error, 'status');
  return typeof status === 'number' ? status : undefined;
}

/** Returns true for temporary failures: too many requests, a server error, or a refused or broken connection. */
export function isTemporaryFailure(error: unknown): boolean {
  const status = getHttpStatus(error);
  if (status !== undefined) return status === 429 || status >= 500;
  // fetch throws a TypeError with a cause if the connection was refused or broken.
  return error instanceof QdrantClientResourceExhaustedError || (error instanceof TypeError && 'cause' in error);
}

function getErrorDetail(cause: unknown): string {
  const explained = getPropertyOrUndefined(
    getPropertyOrUndefined(getPropertyOrUndefined(cause, 'data'), 'status'),
    'error',
  );
  if (typeof explained === 'string') return `${String(getHttpStatus(cause))} ${explained}`;
  const reason = getPropertyOrUndefined(getPropertyOrUndefined(cause, 'cause'), 'message');
  const message = cause instanceof Error ? cause.message : String(cause);
  return typeof reason === 'string' && reason !== '' ? `${message}: ${reason}` : message;
}

function getPropertyOrUndefined(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && key in value ? Reflect.get(value, key) : undefined;
}
