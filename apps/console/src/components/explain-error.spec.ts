import { QuarryError } from '@quarry/client';
import { describe, expect, it } from 'vitest';
import { explainError } from './explain-error.js';
import { createServerTexts } from '../language/server-texts.js';
import { componentMessages } from './messages.js';

const MESSAGES = componentMessages.en;
const { describeProblem } = createServerTexts('en');

describe('an explained error', () => {
  it.each([
    [403, MESSAGES.forbiddenStep],
    [404, MESSAGES.notFoundStep],
    [409, MESSAGES.conflictStep],
    [429, MESSAGES.limitStep],
    [503, MESSAGES.serverStep],
  ])('explainError returns the next step for an error with the status %i', (status, step) => {
    const error = new QuarryError(status, 'some_code', 'What happened.', { requestId: 'r1' });
    expect(explainError(error, MESSAGES, describeProblem)).toMatchObject({
      detail: 'What happened.',
      step,
      requestId: 'r1',
    });
  });

  it('explainError also returns the English text of the API if the German text omits values that the English text contains', () => {
    const german = createServerTexts('de').describeProblem;
    const error = new QuarryError(409, 'too_many_webhooks', 'An organization has at most 20 webhooks.');
    expect(explainError(error, componentMessages.de, german)).toMatchObject({
      detail: 'Die Organisation hat zu viele Webhooks.',
      original: 'An organization has at most 20 webhooks.',
    });
    expect(explainError(error, MESSAGES, describeProblem)).toMatchObject({ detail: error.detail, original: undefined });
  });

  it.each([
    [404, 'not_found', 'There is no agent x that this key can access.'],
    [500, 'internal_error', 'An unexpected error occurred.'],
  ])(
    'for an error with the status %i, whose German text omits nothing, explainError does not return the English text',
    (status, code, detail) => {
      const german = createServerTexts('de').describeProblem;
      const error = new QuarryError(status, code, detail);
      expect(explainError(error, componentMessages.de, german)).toMatchObject({ original: undefined });
    },
  );

  it('explainError explains the status 401 as the end of the session', () => {
    const error = new QuarryError(401, 'unauthorized', 'The Authorization header is missing.');
    expect(explainError(error, MESSAGES, describeProblem)).toMatchObject({ heading: MESSAGES.signedOutTitle });
  });

  it('explainError explains a failed fetch as an unreachable server', () => {
    const error = new TypeError('Expected Quarry at https://quarry.test/api', {
      cause: new TypeError('Failed to fetch'),
    });
    expect(explainError(error, MESSAGES, describeProblem)).toMatchObject({ heading: MESSAGES.unreachableTitle });
  });

  it('explainError does not explain a fault of the console as an unreachable server', () => {
    const error = new TypeError("Cannot read properties of undefined (reading 'items')");
    expect(explainError(error, MESSAGES, describeProblem)).toMatchObject({ heading: MESSAGES.unexpectedTitle });
  });
});
