import { NO_COUNTERS } from '@quarry/contracts';
import { describe, expect, it } from 'vitest';
import { addReason, raiseCounters, decideStatus } from './run-counters.js';

it('raises counters to the reported totals, and never lowers one', () => {
  const counted = { ...NO_COUNTERS, indexed: 3, discovered: 9 };
  expect(raiseCounters(counted, { ...NO_COUNTERS, discovered: 5, fetched: 4 })).toEqual({ ...counted, fetched: 4 });
});

describe('the status of a run of several documents', () => {
  it('is synched while one document did not fail, and when there was none', () => {
    expect(decideStatus(3, { ...NO_COUNTERS, indexed: 1, failed: 2 }, [])).toEqual({ status: 'synched' });
    expect(decideStatus(2, { ...NO_COUNTERS, unchanged: 1, skipped: 1 }, [])).toEqual({ status: 'synched' });
    expect(decideStatus(0, NO_COUNTERS, [])).toEqual({ status: 'synched' });
  });

  it('is an error when some failed and the others were skipped', () => {
    const reasons = [{ code: 'fetch_failed', message: 'no answer', count: 1 }];
    expect(decideStatus(2, { ...NO_COUNTERS, failed: 1, skipped: 1 }, reasons)).toEqual({
      status: 'error',
      code: 'fetch_failed',
      message: 'None of 2 documents could be indexed; the most frequent reason: no answer.',
    });
  });

  it('is an error when all failed, with the most frequent reason', () => {
    const reasons = [
      { code: 'file_unreadable', message: 'broken', count: 1 },
      { code: 'fetch_failed', message: 'no answer', count: 2 },
    ];
    expect(decideStatus(3, { ...NO_COUNTERS, failed: 3 }, reasons)).toEqual({
      status: 'error',
      code: 'fetch_failed',
      message: 'All 3 documents failed; the most frequent reason: no answer.',
    });
  });
});

describe('the reasons of a run', () => {
  it('are grouped by code, at most 100 groups', () => {
    const twice = addReason(addReason([], 'a', 'first'), 'a', 'second');
    expect(twice).toEqual([{ code: 'a', message: 'first', count: 2 }]);
    const many = Array.from({ length: 150 }, (_, index) => `code_${index}`);
    expect(many.reduce((reasons, code) => addReason(reasons, code, ''), twice)).toHaveLength(100);
  });
});
