import type { Response } from 'supertest';
import { OPENAI_OPERATIONS } from '../operations/openai/routes.js';
import { createOpenApiComparison } from './expect-documented.js';

const expectDocumented = createOpenApiComparison(OPENAI_OPERATIONS);

const PATTERNS = OPENAI_OPERATIONS.map((operation) => ({
  operation,
  expression: new RegExp(`^/v1${operation.path.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`, 'i'),
})).toSorted((left, right) => left.operation.path.split('{').length - right.operation.path.split('{').length);

/**
 * Fails unless a response of the OpenAI-compatible API has the expected form. A response with a status below 400 must
 * conform to the OpenAPI document of the API. Any other response must have OpenAI's error format.
 */
export function expectOpenAiResponse(response: Response, method: string, path: string): void {
  if (response.status >= 400) {
    expectOpenAiErrorFormat(response);
    return;
  }
  const found = PATTERNS.find(
    ({ operation, expression }) => operation.method === method.toLowerCase() && expression.test(path),
  );
  if (found === undefined) throw new Error(`expected a declared operation for ${method} ${path}, found none`);
  expectDocumented(response, found.operation.method, found.operation.path);
}

const ERROR_FIELDS = ['code', 'message', 'param', 'type'];

function expectOpenAiErrorFormat({ status, type, text, body }: Response): void {
  const { error } = body as { readonly error?: Readonly<Record<string, unknown>> }; // checked below
  const fields = Object.keys(error ?? {}).toSorted();
  const isError = type === 'application/json' && fields.join() === ERROR_FIELDS.join();
  const isTyped = ['code', 'message', 'type'].every((field) => typeof error?.[field] === 'string');
  if (!isError || !isTyped)
    throw new Error(`expected a response in OpenAI's error format, found ${status} ${type} ${text}`);
}
