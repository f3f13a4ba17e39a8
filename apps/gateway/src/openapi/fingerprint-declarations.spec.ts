import { readFileSync } from 'node:fs';
import { Problem } from '@quarry/service-kit';
import { ValidationError } from '@quarry/validation';
import { expect, it } from 'vitest';
import type { Gateway } from '../gateway.js';
import { fingerprintDeclarations } from './fingerprint-declarations.js';
import { OPENAI_OPERATIONS } from '../operations/openai/routes.js';

const PAGE = readFileSync(new URL('../../../../docs/openai-properties.md', import.meta.url), 'utf8');
const CODES: Readonly<Record<string, string | undefined>> = { refused: 'unsupported_parameter' };
const UNUSED_GATEWAY = {} as Gateway; // refused bodies do not reach the checks that read the context

it('docs/openai-properties.md contains the fingerprint of the current declarations of the OpenAI-compatible operations', () => {
  const [, found] = /fingerprint `(\w+)`/.exec(PAGE) ?? [];
  expect(found, 'run scripts/compare-openai.mjs').toBe(fingerprintDeclarations(OPENAI_OPERATIONS));
});

it('the gateway refuses the parameters that docs/openai-properties.md lists as refused, and ignores those that the page lists as ignored', () => {
  const parameters = listUnsupportedParameters();
  expect(parameters.length).toBeGreaterThan(20);
  for (const parameter of parameters)
    expect({ ...parameter, code: findRefusal(parameter) }).toEqual({ ...parameter, code: CODES[parameter.outcome] });
});

interface UnsupportedParameter {
  readonly operation: string;
  readonly outcome: string;
  readonly name: string;
}

/**
 * Lists the body parameters that docs/openai-properties.md lists as refused or ignored, without parameters of nested
 * objects.
 */
function listUnsupportedParameters(): readonly UnsupportedParameter[] {
  const groups = PAGE.matchAll(/^(\w+ \S+), request, (refused|ignored):\n((?: {2}.+\n)*)/gm);
  return [...groups].flatMap(([, operation = '', outcome = '', lines = '']) =>
    lines
      .split('\n')
      .map((line) => line.trim())
      .filter((name) => name !== '' && !name.includes('.'))
      .map((name) => ({ operation, outcome, name })),
  );
}

/**
 * Parses a request body in which the parameter has an unusual value.
 *
 * @returns the problem code of the refusal; undefined if the body is accepted or another validation fails
 */
function findRefusal({ operation, name }: UnsupportedParameter): string | undefined {
  const declared = OPENAI_OPERATIONS.find(({ method, path }) => `${method.toUpperCase()} ${path}` === operation);
  try {
    declared?.body?.json?.parse({ [name]: { unusual: true } }, UNUSED_GATEWAY);
    return undefined;
  } catch (error) {
    if (error instanceof Problem) return error.code;
    if (error instanceof ValidationError) return undefined;
    throw error;
  }
}
