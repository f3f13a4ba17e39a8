import type { ErrorRequestHandler } from 'express';
import { isDatabaseAway, withoutParameters } from '../database/query-error.js';
import { problem } from '../problems.js';

/**
 * The last handler of the API's routes: a database that is away is a 503 that can be tried again, not a mistake of ours; and
 * nobody is told anything who has left.
 */
export const translateErrors: ErrorRequestHandler = (error: unknown, _request, response, next) => {
  if (response.closed) return;
  if (isDatabaseAway(error)) {
    next(
      problem('dependency_unavailable', 'The database does not answer. Nothing was changed; try again.', {
        cause: withoutParameters(error),
        headers: { 'Retry-After': '2' },
      }),
    );
    return;
  }
  next(withoutParameters(error));
};
