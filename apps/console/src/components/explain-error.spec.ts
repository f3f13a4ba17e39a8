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
  ])('an explanation offers a next step for the status %i', (status, step) => {
    const error = new QuarryError(status, 'some_code', 'What happened.', { requestId: 'r1' });
    expect(explainError(error, MESSAGES, describeProblem)).toMatchObject({
      detail: 'What happened.',
      step,
      requestId: 'r1',
    });
  });

  it('an explanation is in German, with the values that the API found', () => {
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
  ])('an explanation of the status %i in German has no English text', (status, code, detail) => {
    const german = createServerTexts('de').describeProblem;
    const error = new QuarryError(status, code, detail);
    expect(explainError(error, componentMessages.de, german)).toMatchObject({ original: undefined });
  });

  it('an explanation of a status 401 reports the end of the session instead of a missing header', () => {
    const error = new QuarryError(401, 'unauthorized', 'The Authorization header is missing.');
    expect(explainError(error, MESSAGES, describeProblem)).toMatchObject({ heading: MESSAGES.signedOutTitle });
  });

  it('an explanation reports an unreachable server', () => {
    expect(explainError(new TypeError('Failed to fetch'), MESSAGES, describeProblem)).toMatchObject({
      heading: MESSAGES.unreachableTitle,
    });
  });
});
