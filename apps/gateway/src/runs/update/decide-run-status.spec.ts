import { NO_COUNTERS, type FailureReason, type RunCounters } from '@quarry/contracts';
import { describe, expect, it } from 'vitest';
import { decideRunStatus, type Verdict } from './decide-run-status.js';

function decideByDocuments(settled: number, counters: RunCounters, reasons: readonly FailureReason[]): Verdict {
  return decideRunStatus({ kind: 'documents', settled, counters, reasons });
}

describe('the status of a run of several documents', () => {
  it('a run ends as synched if at least one of its documents was indexed or unchanged, or if it had no documents', () => {
    expect(decideByDocuments(3, { ...NO_COUNTERS, indexed: 1, failed: 2 }, [])).toEqual({ status: 'synched' });
    expect(decideByDocuments(2, { ...NO_COUNTERS, unchanged: 1, skipped: 1 }, [])).toEqual({ status: 'synched' });
    expect(decideByDocuments(0, NO_COUNTERS, [])).toEqual({ status: 'synched' });
  });

  it('the message of a run uses the singular if the run had one document', () => {
    const failed = [{ code: 'fetch_failed', message: 'no answer', count: 1 }];
    expect(decideByDocuments(1, { ...NO_COUNTERS, failed: 1 }, failed)).toMatchObject({
      message: 'The only document failed; the most frequent reason: no answer.',
    });
    const blocked = [{ code: 'usage_limit_reached', message: 'The limit allows 10 tokens.', count: 1 }];
    expect(decideByDocuments(1, { ...NO_COUNTERS, failed: 1 }, blocked)).toMatchObject({
      message: '1 of 1 document was not stored. The first: The limit allows 10 tokens.',
    });
  });

  it('a run ends in error if some documents failed and all others were skipped', () => {
    const reasons = [{ code: 'fetch_failed', message: 'no answer', count: 1 }];
    expect(decideByDocuments(2, { ...NO_COUNTERS, failed: 1, skipped: 1 }, reasons)).toEqual({
      status: 'error',
      code: 'fetch_failed',
      message: 'None of 2 documents could be indexed; the most frequent reason: no answer.',
    });
  });

  it('if all documents of a run failed, the run ends in error with the most frequent failure reason', () => {
    const reasons = [
      { code: 'file_unreadable', message: 'broken', count: 1 },
      { code: 'fetch_failed', message: 'no answer', count: 2 },
    ];
    expect(decideByDocuments(3, { ...NO_COUNTERS, failed: 3 }, reasons)).toEqual({
      status: 'error',
      code: 'fetch_failed',
      message: 'All 3 documents failed; the most frequent reason: no answer.',
    });
  });
});

describe('the status of a run that the usage limit blocked', () => {
  it('if the usage limit blocked documents of a run, the run ends in `usage_limit_reached`, even if other documents were indexed', () => {
    const reasons = [{ code: 'usage_limit_reached', message: 'The limit allows 10 tokens.', count: 2 }];
    expect(decideByDocuments(5, { ...NO_COUNTERS, indexed: 3, failed: 2 }, reasons)).toEqual({
      status: 'usage_limit_reached',
      code: 'usage_limit_reached',
      message: '2 of 5 documents were not stored. The first: The limit allows 10 tokens.',
    });
  });
});

describe('the status of a run of one document', () => {
  it.each(['indexed', 'unchanged', 'skipped'] as const)(
    'a run of one document is synched if the document is %s',
    (outcome) => {
      expect(decideRunStatus({ kind: 'document', outcome })).toEqual({ status: 'synched' });
    },
  );

  it('if the only document of a run failed, the run ends in error with the failure reason of the document', () => {
    const reason = { code: 'file_empty', message: 'It is empty.' };
    expect(decideRunStatus({ kind: 'document', outcome: 'failed', ...reason })).toEqual({ status: 'error', ...reason });
    expect(decideRunStatus({ kind: 'document', outcome: 'failed' })).toEqual({ status: 'error' });
  });

  it('if the usage limit blocked the only document of a run, the run ends in `usage_limit_reached`', () => {
    const reason = { code: 'usage_limit_reached', message: 'The limit allows 10 tokens.' };
    expect(decideRunStatus({ kind: 'document', outcome: 'failed', ...reason })).toEqual({
      status: 'usage_limit_reached',
      ...reason,
    });
  });
});

describe('the status of a run that cannot continue', () => {
  it('an aborted run ends in error with the reason of the abort', () => {
    const reason = { code: 'cancelled', message: 'The run was cancelled.' };
    expect(decideRunStatus({ kind: 'aborted', ...reason })).toEqual({ status: 'error', ...reason });
  });
});
