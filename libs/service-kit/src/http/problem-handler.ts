import { ValidationError } from '@quarry/validation';
import type { ErrorRequestHandler, RequestHandler, Response } from 'express';
import { convertBodyErrorToProblem } from './body-problem.js';
import { basicProblem, Problem, buildProblemBody } from './problem.js';
import { getRequestScope } from './request-scope.js';

/** Handles a request that matches no route: throws the problem `not_found`. */
export const rejectUnknownRoute: RequestHandler = (request) => {
  throw basicProblem('not_found', `There is no ${request.method} ${request.baseUrl}${request.path}.`);
};

/** Responds with problem+json if a handler throws an error. Logs the error if the response status is 500 or more. */
export const respondWithProblem: ErrorRequestHandler = (error: unknown, request, response, next) => {
  const problem = convertErrorToProblem(error);
  const { log } = getRequestScope(response);
  if (problem.kind.status >= 500) log.error({ err: error, code: problem.code }, 'request failed');
  if (response.headersSent) {
    next(error);
    return;
  }
  sendProblem(response, problem);
};

export function sendProblem(response: Response, problem: Problem): void {
  if (problem.code === 'unauthorized') response.setHeader('WWW-Authenticate', 'Bearer');
  for (const [name, value] of Object.entries(problem.headers)) response.setHeader(name, value);
  response
    .status(problem.kind.status)
    .type('application/problem+json')
    .send(JSON.stringify(buildProblemBody(problem, getRequestScope(response).id)));
}

/**
 * Converts any thrown value into a problem. The problem for an error that is no `Problem` contains no internal details.
 */
export function convertErrorToProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof ValidationError) return createValidationProblem(error);
  return (
    convertBodyErrorToProblem(error) ??
    basicProblem('internal_error', 'An internal error occurred. The request is not the cause.', { cause: error })
  );
}

function createValidationProblem(error: ValidationError): Problem {
  const fields = error.issues.map((issue) =>
    issue.path === '' ? `The body ${issue.message}` : `${issue.path} ${issue.message}`,
  );
  return basicProblem('validation_failed', `${fields.join('; ')}.`, { cause: error, errors: error.issues });
}
