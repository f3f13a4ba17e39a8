import { Problem } from '@quarry/service-kit';
import { problem } from '../problems.js';
import { isDatabaseUnavailable, redactQueryParameters } from './query-error.js';

/**
 * Returns a problem with the status 503 if an error means that the database is unavailable. Otherwise, returns the
 * error without query parameters.
 */
export function translateDatabaseError(error: unknown): unknown {
  if (error instanceof Problem || !isDatabaseUnavailable(error)) return redactQueryParameters(error);
  return problem('dependency_unavailable', 'The database is unavailable. Retry later.', {
    cause: redactQueryParameters(error),
    headers: { 'Retry-After': '2' },
  });
}
