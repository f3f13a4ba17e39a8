import { buildProblemBody, getRequestScope } from '@quarry/service-kit';
import type { RequestHandler } from 'express';
import { buildPathExpression } from '../../http/path-expression.js';
import { problem } from '../../problems.js';
import { buildErrorReply } from './protocol/error-body.js';
import { OPENAI_OPERATIONS } from './routes.js';

const EXPRESSIONS = OPENAI_OPERATIONS.map(({ method, path }) => ({
  method: method.toUpperCase(),
  expression: new RegExp(`^(/api)?${buildPathExpression(path)}`, 'i'),
}));

/**
 * Refuses requests that call an operation of `/v1` below another base path, such as `/api`. The message contains the
 * right base path. The member `error` has OpenAI's error format, because OpenAI's clients show no other text. Mount
 * this handler after the APIs and the console, because the console also has a page at `/models`.
 */
export const refuseOtherBasePaths: RequestHandler = ({ method, path }, response, next) => {
  if (!EXPRESSIONS.some((known) => known.method === method && known.expression.test(path))) {
    next();
    return;
  }
  const found = problem(
    'not_found',
    `There is no ${method} ${path}. The OpenAI-compatible API is below /v1: set the base URL of the client to <address>/v1.`,
  );
  response
    .status(found.kind.status)
    .type('application/problem+json')
    .send(JSON.stringify({ ...buildProblemBody(found, getRequestScope(response).id), ...buildErrorReply(found).body }));
};
