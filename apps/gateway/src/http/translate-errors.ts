import { Problem } from '@quarry/service-kit';
import type { ErrorRequestHandler } from 'express';
import { isDatabaseUnavailable, redactQueryParameters } from '../database/query-error.js';
import { problem } from '../problems.js';

/**
 * Translates errors of the API's routes. Mount it last. A failed dependency becomes a 503 that names it: problems name theirs,
 * and other connection errors come from the database. A client that has disconnected receives no response.
 */
export const translateErrors: ErrorRequestHandler = (error: unknown, _request, response, next) => {
  if (!response.closed) next(translateError(error));
};

/** Returns a problem if the database is unavailable, and otherwise the error without its query parameters. */
export function translateError(error: unknown): unknown {
  if (error instanceof Problem || !isDatabaseUnavailable(error)) return redactQueryParameters(error);
  return problem('dependency_unavailable', 'The database is unavailable. Nothing was changed. Retry later.', {
    cause: redactQueryParameters(error),
    headers: { 'Retry-After': '2' },
  });
}
