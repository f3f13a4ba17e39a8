import { NO_COUNTERS } from '@quarry/contracts';
import { describe, expect, it } from 'vitest';
import { addFailureReason, raiseCounters } from './run-counters.js';

describe('raiseCounters', () => {
  it('raiseCounters raises counters to the reported totals, and never lowers a counter', () => {
    const counted = { ...NO_COUNTERS, indexed: 3, discovered: 9 };
    expect(raiseCounters(counted, { ...NO_COUNTERS, discovered: 5, fetched: 4 })).toEqual({ ...counted, fetched: 4 });
  });
});

describe('the counted reasons for skipped and failed documents', () => {
  it('addFailureReason groups failure reasons by code, in at most 100 groups', () => {
    const twice = addFailureReason(addFailureReason([], 'a', 'first'), 'a', 'second');
    expect(twice).toEqual([{ code: 'a', message: 'first', count: 2 }]);
    const many = Array.from({ length: 150 }, (_, index) => `code_${index}`);
    expect(many.reduce((reasons, code) => addFailureReason(reasons, code, ''), twice)).toHaveLength(100);
  });
});
