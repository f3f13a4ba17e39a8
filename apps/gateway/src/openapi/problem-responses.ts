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
import type { ProblemBody } from '@quarry/service-kit';
import { PROBLEMS, type ProblemCode } from '../problems.js';
import type { RouteDescription } from '../http/declaration.js';
import type { RefTo } from '../http/responses.js';

const CODES = Object.keys(PROBLEMS) as ProblemCode[]; // keys of a literal are its keys

@Describe('One thing that is wrong with one field.')
class FieldProblem {
  @IsString()
  @Describe('Dotted, positions in lists included: `documents.3.text`. Empty: the whole body.')
  readonly path: string;

  @IsString()
  readonly message: string;
}

@Describe('A refusal (RFC 9457).')
export class Problem implements Omit<ProblemBody, 'errors'> {
  @IsString()
  @Describe('Such as `urn:quarry:problem:not_found`.')
  readonly type: string;

  @IsString()
  readonly title: string;

  @IsInt()
  readonly status: number;

  @IsString()
  @Describe('For people: what was expected and what was found.')
  readonly detail: string;

  @IsString()
  @Describe('Names this one occurrence: the id is also in the header X-Request-Id.')
  readonly instance: string;

  @IsIn(CODES)
  @Describe('Stable: branch on it.')
  readonly code: ProblemCode;

  @IsString()
  @Describe('The code in capitals.')
  readonly error: string;

  @IsOptional()
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => FieldProblem)
  @Describe('With `validation_failed`: each field that is wrong.')
  readonly errors?: readonly FieldProblem[];
}

/** Returns the codes that a route can be refused with: those that it declares, and those that follow from the rest of it. */
export function problemsOf(route: RouteDescription): readonly ProblemCode[] {
  const { path, scopes, query, body, idempotency, problems = [] } = route;
  const found = new Set<ProblemCode>(problems);
  const add = (isSo: boolean, ...codes: readonly ProblemCode[]): void => {
    if (isSo) for (const code of codes) found.add(code);
  };
  add(
    scopes !== undefined,
    'malformed_request',
    'unauthorized',
    'rate_limited',
    'too_many_refusals',
    'internal_error',
    'dependency_unavailable',
  );
  add(scopes !== undefined && scopes.length > 0, 'insufficient_scope');
  add(path.includes('{'), 'not_found');
  add(route.refusesLimitedKeys === true, 'key_limited');
  add(query !== undefined, 'validation_failed');
  add(idempotency !== undefined, 'validation_failed', 'idempotency_key_reused', 'idempotency_key_in_use');
  add(body !== undefined, 'validation_failed', 'unsupported_media_type', 'request_timeout');
  add(body?.json !== undefined, 'payload_too_large');
  add(body?.form !== undefined, 'file_missing', 'file_empty', 'file_too_large');
  return CODES.filter((code) => found.has(code));
}

/** OpenAPI's Response Objects of the refusals, by status. */
export function problemResponses(operation: RouteDescription, refTo: RefTo): Readonly<Record<string, JsonSchema>> {
  const byStatus = Map.groupBy(problemsOf(operation), (code) => PROBLEMS[code].status);
  return Object.fromEntries([...byStatus].map(([status, codes]) => [status, problemResponse(status, codes, refTo)]));
}

function problemResponse(status: number, codes: readonly ProblemCode[], refTo: RefTo): JsonSchema {
  const schema = { allOf: [refTo(Problem)], properties: { status: { const: status }, code: { enum: codes } } };
  const headers = HEADERS[status];
  return {
    description: codes.map((code) => `\`${code}\`: ${PROBLEMS[code].title}.`).join('\n\n'),
    content: { 'application/problem+json': { schema } },
    ...(headers === undefined ? {} : { headers }),
  };
}

const HEADERS: Readonly<Record<number, JsonSchema>> = {
  401: { 'WWW-Authenticate': { description: '`Bearer`.', schema: { type: 'string' } } },
  409: {
    'Retry-After': {
      description: 'With `idempotency_key_in_use`: when to try again, in seconds.',
      schema: { type: 'string' },
    },
  },
  429: { 'Retry-After': { description: 'When to try again, in seconds.', schema: { type: 'string' } } },
  503: {
    'Retry-After': { description: 'When to try again, in seconds, where that is known.', schema: { type: 'string' } },
  },
};
