import { Problem } from '@quarry/service-kit';
import type { ErrorRequestHandler } from 'express';
import { isDatabaseUnavailable, redactQueryParameters } from '../database/query-error.js';
import { problem } from '../problems.js';

/**
 * The last handler of the API's routes. Answers 503 with the name of the dependency that failed: a problem names it already, and any
 * other error of a connection is the database's. A client that has left receives nothing.
 */
export const translateErrors: ErrorRequestHandler = (error: unknown, _request, response, next) => {
  if (!response.closed) next(translateError(error));
};

/** Returns a problem that names the database when it failed, and any other error without the parameters of queries. */
export function translateError(error: unknown): unknown {
  if (error instanceof Problem || !isDatabaseUnavailable(error)) return redactQueryParameters(error);
  return problem('dependency_unavailable', 'The database does not answer. Nothing was changed; try again.', {
    cause: redactQueryParameters(error),
    headers: { 'Retry-After': '2' },
  });
}
