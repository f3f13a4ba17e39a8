import { describe, expect, it } from 'vitest';
import { isExpectationMet, type Outcome } from './evaluate-file.js';
import type { Expectation } from './file-cases.js';

const REFUSED: Outcome = { refused: 'file_unreadable' };
const ENCRYPTED: Outcome = { refused: 'file_encrypted' };
const CRASHED: Outcome = { crashed: 'the process ended' };

describe('isExpectationMet compares the outcome of a file with its expectation', () => {
  it.each<[Expectation, readonly Outcome[], readonly Outcome[]]>([
    ['text', ['text'], ['no text', REFUSED, CRASHED]],
    ['empty-or-ocr', ['no text'], ['text', REFUSED, CRASHED]],
    ['refuse', [REFUSED, ENCRYPTED], ['text', 'no text', CRASHED]],
    ['refuse-or-password', [ENCRYPTED], ['text', 'no text', REFUSED, CRASHED]],
    ['no-crash', ['text', 'no text', REFUSED], [CRASHED]],
  ])('isExpectationMet accepts only the outcomes that match the expectation %s', (expectation, met, unmet) => {
    for (const outcome of met) expect(isExpectationMet(expectation, outcome)).toBe(true);
    for (const outcome of unmet) expect(isExpectationMet(expectation, outcome)).toBe(false);
  });
});
