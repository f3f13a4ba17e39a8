import { Problem } from '@quarry/service-kit';
import type { ErrorRequestHandler } from 'express';
import { isDatabaseUnavailable, redactQueryParameters } from '../database/query-error.js';
import { problem } from '../problems.js';

/**
 * Translates errors of API routes to problems for the client: see `translateError`. Mount this middleware after all routes. A client
 * that has disconnected receives no response.
 */
export const translateErrors: ErrorRequestHandler = (error: unknown, _request, response, next) => {
  if (!response.closed) next(translateError(error));
};

/** Returns the problem 503 if an error means that the database is unavailable. Otherwise, removes query parameters from the error. */
export function translateError(error: unknown): unknown {
  if (error instanceof Problem || !isDatabaseUnavailable(error)) return redactQueryParameters(error);
  return problem('dependency_unavailable', 'The database is unavailable. Nothing was changed. Retry later.', {
    cause: redactQueryParameters(error),
    headers: { 'Retry-After': '2' },
  });
}
