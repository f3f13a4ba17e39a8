import type { components } from './generated/schema.js';

export type FieldProblem = components['schemas']['FieldProblem'];

/** Quarry refused, or its answer broke off. */
export class QuarryError extends Error {
  /** Of the HTTP answer; 200 when a stream failed after it had begun. */
  readonly status: number;
  /** Stable: one of the documented codes, or `unexpected_answer` or `stream_interrupted` when Quarry itself said nothing. */
  readonly code: string;
  /** For people: what was expected and what was found. */
  readonly detail: string;
  /** With `validation_failed`: each field that is wrong. */
  readonly errors: readonly FieldProblem[];

  constructor(status: number, code: string, detail: string, errors: readonly FieldProblem[] = []) {
    super(`${code}: ${detail}`);
    this.name = 'QuarryError';
    this.status = status;
    this.code = code;
    this.detail = detail;
    this.errors = errors;
  }
}

/** Longest piece of a foreign answer that is shown. */
const MAX_SHOWN = 200;

/** The refusal that an answer holds. What holds none comes from something between here and Quarry. */
export async function errorOf(response: Response): Promise<QuarryError> {
  const text = await response.text();
  const problem = problemIn(text);
  if (problem !== undefined) {
    return new QuarryError(response.status, problem.code, problem.detail, problem.errors ?? []);
  }
  const detail = `expected an answer of Quarry, found ${response.status} ${text.slice(0, MAX_SHOWN)}`;
  return new QuarryError(response.status, 'unexpected_answer', detail);
}

type Problem = components['schemas']['Problem'];

function problemIn(text: string): Problem | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isProblem(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isProblem(value: unknown): value is Problem {
  return (
    typeof value === 'object' &&
    value !== null &&
    'code' in value &&
    typeof value.code === 'string' &&
    'detail' in value &&
    typeof value.detail === 'string'
  );
}
