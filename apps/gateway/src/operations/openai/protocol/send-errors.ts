import { getRequestScope, convertErrorToProblem } from '@quarry/service-kit';
import type { ErrorRequestHandler } from 'express';
import { translateDatabaseError } from '../../../database/translate-database-error.js';
import { buildErrorReply } from './error-body.js';

/** Sends every error in OpenAI's error format, and logs unexpected errors. A client that has disconnected receives no response. */
export const sendOpenAiErrors: ErrorRequestHandler = (error: unknown, _request, response, next) => {
  if (response.closed) return;
  const problem = convertErrorToProblem(translateDatabaseError(error));
  if (problem.kind.status >= 500)
    getRequestScope(response).log.error({ err: error, code: problem.code }, 'request failed');
  if (response.headersSent) {
    next(error);
    return;
  }
  const { status, headers, body } = buildErrorReply(problem);
  if (problem.code === 'unauthorized') response.setHeader('WWW-Authenticate', 'Bearer');
  response.status(status).set(headers).json(body);
};
