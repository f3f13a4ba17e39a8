import type { DocumentSettled, IndexDocument, RunProgressed, StatusChanged } from '@quarry/contracts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { reportOn } from './run-report.js';
import type { Statuses } from './statuses.js';

const JOB: IndexDocument = {
  organizationId: 'organization',
  datastoreId: 'datastore',
  datasourceId: 'datasource',
  datasourceType: 'file',
  runId: 'run',
  generation: 1,
  documentKey: 'document',
  name: 'manual.txt',
  blobKey: 'organization/datastore/datasource/blob',
  mimeType: 'text/plain',
  splitting: { maxTokens: 512, overlapTokens: 64 },
};

type Told = StatusChanged | RunProgressed | DocumentSettled;

function setUp() {
  const events: Told[] = [];
  const keep = async (told: Told): Promise<void> => {
    events.push(told);
    return Promise.resolve();
  };
  const statuses: Statuses = { changed: keep, progressed: keep, documentSettled: keep };
  let now = 1_000_000;
  return {
    report: (starts: number) => reportOn(JOB, starts, { statuses, now: () => new Date(now) }),
    pass: (ms: number) => (now += ms),
    events: (): readonly Told[] => events,
  };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('the report on a run', () => {
  it('does not tell that it began when it ends at once, but when', async () => {
    const { report, pass, events } = setUp();
    const first = report(1);
    first.started();
    pass(150);
    vi.advanceTimersByTime(150);
    await first.settled({ outcome: 'indexed' });
    vi.advanceTimersByTime(1_000);
    const startedAt = new Date(1_000_000).toISOString();
    const at = new Date(1_000_150).toISOString();
    expect(events()).toMatchObject([{ status: 'synched', startedAt, at }]);
  });

  it('tells that it began when it takes longer', async () => {
    const { report, pass, events } = setUp();
    const first = report(1);
    first.started();
    pass(300);
    vi.advanceTimersByTime(300);
    await first.settled({ outcome: 'indexed' });
    const at = new Date(1_000_000).toISOString();
    expect(events()).toMatchObject([{ status: 'running', at }, { status: 'synched' }]);
  });

  it('tells progress about once a second, and nothing of it in the first', async () => {
    const { report, pass, events } = setUp();
    const first = report(1);
    for (let done = 1; done <= 50; done += 1) {
      first.progressed('reading', { done, total: 50, unit: 'pages' });
      pass(100);
    }
    await first.settled({ outcome: 'indexed' });
    const progress = events().filter((told) => 'stage' in told);
    expect(progress).toHaveLength(4);
    expect(progress[0]).toMatchObject({ stage: 'reading', progress: { done: 11, total: 50, unit: 'pages' } });
  });

  it('tells a stage that lasts, though nothing more is heard of it', async () => {
    const { report, pass, events } = setUp();
    const first = report(1);
    first.progressed('reading');
    pass(400);
    vi.advanceTimersByTime(400);
    first.progressed('embedding', { done: 1, total: 9, unit: 'fragments' });
    pass(600);
    vi.advanceTimersByTime(600);
    expect(events()).toMatchObject([{ stage: 'embedding', progress: { done: 1 } }]);
    first.progressed('indexing');
    await first.settled({ outcome: 'indexed' });
    vi.advanceTimersByTime(10_000);
    expect(events()).toMatchObject([{ stage: 'embedding' }, { status: 'synched' }]);
  });

  it('never runs out of numbers before its end, however long it takes', async () => {
    const { report, pass, events } = setUp();
    const first = report(1);
    first.started();
    vi.advanceTimersByTime(1_000);
    for (let step = 1; step <= 12_000; step += 1) {
      first.progressed('embedding');
      pass(2_000);
    }
    await first.settled({ outcome: 'indexed' });
    const sequences = events().flatMap((told) => ('sequence' in told ? [told.sequence] : []));
    expect(sequences).toEqual(sequences.toSorted((a, b) => a - b));
    expect(new Set(sequences).size).toBe(sequences.length);
    expect(sequences.at(-1)).toBe(19_999);
  });

  it('has greater numbers with every start', async () => {
    const { report, events } = setUp();
    await report(1).settled({ outcome: 'failed', code: 'file_empty', message: 'It is empty.' });
    report(2).started();
    vi.advanceTimersByTime(1_000);
    const [before, after] = events().map((told) => ('sequence' in told ? told.sequence : 0));
    expect(after).toBeGreaterThan(before ?? Infinity);
  });
});
