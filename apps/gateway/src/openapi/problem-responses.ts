import {
  IsArray,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Describe,
  Type,
  ValidateNested,
  type JsonSchema,
} from '@quarry/validation';
import { buildProblemBody, type ProblemBody } from '@quarry/service-kit';
import { problem, PROBLEMS, type ProblemCode } from '../problems.js';
import type { RouteDescription } from '../http/declaration.js';
import type { RefTo } from '../http/responses.js';

const CODES = Object.keys(PROBLEMS) as ProblemCode[]; // keys of a literal are its keys

@Describe('An error in one field.')
class FieldProblem {
  @IsString()
  @Describe('Path of the field with dots and list positions, such as `documents.3.text`. Empty for the whole body.')
  readonly path: string;

  @IsString()
  readonly message: string;
}

@Describe('An error, in the format of RFC 9457 (problem details).')
export class Problem implements Omit<ProblemBody, 'errors'> {
  @IsString()
  @Describe('URN of the type of the error, such as `urn:quarry:problem:not_found`.')
  readonly type: string;

  @IsString()
  readonly title: string;

  @IsInt()
  readonly status: number;

  @IsString()
  @Describe('Human-readable explanation: what was expected and what was found.')
  readonly detail: string;

  @IsString()
  @Describe('Identifies this occurrence. Its id is also in the header `X-Request-Id`.')
  readonly instance: string;

  @IsIn(CODES)
  @Describe('Stable code for programs.')
  readonly code: ProblemCode;

  @IsString()
  @Describe('The value of `code` in capital letters.')
  readonly error: string;

  @IsOptional()
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => FieldProblem)
  @Describe('The errors of each field, with the code `validation_failed`.')
  readonly errors?: readonly FieldProblem[];
}

/**
 * Lists the codes of the problems that a route can return: the declared codes, and the codes that follow from the
 * scopes, parameters and body of the route.
 */
export function listProblemCodes(route: RouteDescription): readonly ProblemCode[] {
  const { path, scopes, query, body, idempotency, problems = [] } = route;
  const found = new Set<ProblemCode>(problems);
  const addProblemIf = (condition: boolean, ...codes: readonly ProblemCode[]): void => {
    if (condition) for (const code of codes) found.add(code);
  };
  addProblemIf(
    scopes !== undefined,
    'malformed_request',
    'unauthorized',
    'rate_limited',
    'too_many_refusals',
    'internal_error',
    'dependency_unavailable',
  );
  addProblemIf(scopes !== undefined && scopes.length > 0, 'insufficient_scope');
  addProblemIf(scopes !== undefined, 'cross_origin_request');
  addProblemIf(path.includes('{'), 'not_found');
  addProblemIf(route.refusesLimitedKeys === true, 'key_limited');
  addProblemIf(query !== undefined, 'validation_failed');
  addProblemIf(idempotency !== undefined, 'validation_failed', 'idempotency_key_reused', 'idempotency_key_in_use');
  addProblemIf(body !== undefined, 'validation_failed', 'unsupported_media_type', 'request_timeout');
  addProblemIf(body?.json !== undefined, 'payload_too_large');
  addProblemIf(body?.form !== undefined, 'file_missing', 'file_empty', 'file_too_large');
  return CODES.filter((code) => found.has(code));
}

/** Builds the OpenAPI Response Objects of the problems of a route, keyed by HTTP status. */
export function buildProblemResponses(operation: RouteDescription, refTo: RefTo): Readonly<Record<string, JsonSchema>> {
  const byStatus = Map.groupBy(listProblemCodes(operation), (code) => PROBLEMS[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [status, buildProblemResponse(status, codes, refTo)]),
  );
}

function buildProblemResponse(status: number, codes: readonly ProblemCode[], refTo: RefTo): JsonSchema {
  const examples = Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]));
  const headers = HEADERS[status];
  return {
    description: codes.map((code) => `\`${code}\`: ${PROBLEMS[code].title}.`).join('\n\n'),
    content: { 'application/problem+json': { schema: refTo(Problem), examples } },
    ...(headers === undefined ? {} : { headers }),
  };
}

/**
 * Builds the OpenAPI Example Objects of the problems of the routes, keyed by problem code. A response refers to the
 * examples of the codes that it can contain.
 */
export function buildProblemExamples(operations: readonly RouteDescription[]): JsonSchema {
  const used = new Set(operations.flatMap(listProblemCodes));
  return Object.fromEntries(
    CODES.filter((code) => used.has(code)).map((code) => {
      const { title } = PROBLEMS[code];
      const value = buildProblemBody(problem(code, `${title}.`), '01890a5d-ac96-774b-bcce-b302099a8057');
      return [code, { summary: title, value }];
    }),
  );
}

const HEADERS: Readonly<Record<number, JsonSchema>> = {
  401: { 'WWW-Authenticate': { description: '`Bearer`.', schema: { type: 'string' } } },
  409: {
    'Retry-After': {
      description: 'Number of seconds to wait before the next attempt. Sent with the code `idempotency_key_in_use`.',
      schema: { type: 'string' },
    },
  },
  429: {
    'Retry-After': { description: 'Number of seconds to wait before the next attempt.', schema: { type: 'string' } },
  },
  503: {
    'Retry-After': {
      description: 'Number of seconds to wait before the next attempt, if known.',
      schema: { type: 'string' },
    },
  },
};
