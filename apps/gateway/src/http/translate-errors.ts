import type { ErrorRequestHandler } from 'express';
import { translateDatabaseError } from '../database/translate-database-error.js';

/**
 * Translates errors of API routes to problems for the client: see `translateDatabaseError`. Mount this middleware after
 * all routes. A client that has disconnected receives no response.
 */
export const translateErrors: ErrorRequestHandler = (error: unknown, _request, response, next) => {
  if (!response.closed) next(translateDatabaseError(error));
};
