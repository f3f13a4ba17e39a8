import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { NO_COUNTERS, type RunProgressed, type RunRetrying, type StatusChanged } from '@quarry/contracts';
import {
  computeEventNumbers,
  createFieldsForEarlierGateways,
  createRunReporter,
  type RunReporter,
} from './run-reporter.js';
import type { StatusEmitter } from './status-emitter.js';

const START = 1_000_000;
const rejectEvent = async (): Promise<void> =>
  Promise.reject(new Error('expected no event about a document, an enumeration or a removal'));

let events: (StatusChanged | RunProgressed | RunRetrying)[];
let statuses: StatusEmitter;
beforeEach(() => {
  vi.useFakeTimers({ now: START });
  events = [];
  const recordEvent = async (event: StatusChanged | RunProgressed | RunRetrying): Promise<void> => {
    events.push(event);
    return Promise.resolve();
  };
  statuses = {
    ...{ emitStatusChange: recordEvent, emitProgress: recordEvent, emitRetry: recordEvent },
    ...{
      emitDocumentSettled: rejectEvent,
      emitDocumentRetry: rejectEvent,
      emitEnumeration: rejectEvent,
      emitRemovalDone: rejectEvent,
    },
  };
});
afterEach(() => {
  vi.useRealTimers();
});

function createReporter(starts = 1, repeat = 0): RunReporter {
  const job = { datasourceId: 'datasource', runId: 'run', repeat };
  return createRunReporter({ statuses, now: () => new Date() }, job, { starts, phase: 'whole' });
}
const listSequences = (): readonly number[] => events.map(({ sequence }) => sequence);

describe('the run reporter', () => {
  it('if a job ends within 200 ms, the run reporter emits only the final event, which contains the time of the start', async () => {
    const first = createReporter();
    first.reportStart();
    vi.advanceTimersByTime(150);
    await first.reportEnd({ outcome: 'indexed' });
    vi.advanceTimersByTime(1_000);
    const [startedAt, at] = [new Date(START).toISOString(), new Date(START + 150).toISOString()];
    expect(events).toEqual([
      {
        ...{ datasourceId: 'datasource', runId: 'run', sequence: 19_999, outcome: 'indexed', startedAt, at },
        ...createFieldsForEarlierGateways({ outcome: 'indexed' }),
      },
    ]);
  });

  it('the run reporter emits `running` for a job that takes longer than 200 ms', async () => {
    const first = createReporter();
    first.reportStart();
    vi.advanceTimersByTime(300);
    await first.reportEnd({ outcome: 'indexed' });
    expect(events).toMatchObject([{ status: 'running', at: new Date(START).toISOString() }, { outcome: 'indexed' }]);
  });

  it('the run reporter emits the latest progress once per second, and no progress in the first second', async () => {
    const first = createReporter();
    for (let done = 1; done <= 50; done += 1) {
      first.reportProgress('reading', { done, total: 50, unit: 'pages' });
      vi.advanceTimersByTime(100);
    }
    await first.reportEnd({ outcome: 'indexed' });
    const progress = events.filter((event) => 'stage' in event);
    expect(progress).toHaveLength(5);
    expect(progress[0]).toMatchObject({ stage: 'reading', progress: { done: 10, total: 50, unit: 'pages' } });
  });

  it('a second after the first progress, the run reporter emits the current stage; after the final event, it emits nothing', async () => {
    const first = createReporter();
    first.reportProgress('reading');
    vi.advanceTimersByTime(400);
    first.reportProgress('embedding', { done: 1, total: 9, unit: 'fragments' });
    vi.advanceTimersByTime(600);
    expect(events).toMatchObject([{ stage: 'embedding', progress: { done: 1 } }]);
    first.reportProgress('indexing');
    await first.reportEnd({ outcome: 'indexed' });
    vi.advanceTimersByTime(10_000);
    expect(events).toMatchObject([{ stage: 'embedding' }, { outcome: 'indexed' }]);
  });

  it('the run reporter emits no delayed events after cancelDelayedEvents', () => {
    const first = createReporter();
    first.reportStart();
    first.reportProgress('fetching');
    first.cancelDelayedEvents();
    vi.advanceTimersByTime(10_000);
    expect(events).toEqual([]);
  });

  it('the run reporter reserves an event number for the final event, however many events the job has', async () => {
    const first = createReporter();
    first.reportStart();
    for (let step = 1; step <= 12_000; step += 1) {
      first.reportProgress('embedding');
      vi.advanceTimersByTime(2_000);
    }
    await first.reportEnd({ outcome: 'indexed' });
    expect(listSequences()).toEqual(listSequences().toSorted((a, b) => a - b));
    expect(new Set(listSequences()).size).toBe(listSequences().length);
    expect(listSequences().at(-1)).toBe(19_999);
  });

  it('the run reporter uses greater event numbers for a later start of a job than for an earlier start', async () => {
    await createReporter(1).reportEnd({ outcome: 'failed', code: 'file_empty', message: 'It is empty.' });
    createReporter(2).reportStart();
    vi.advanceTimersByTime(1_000);
    const [before = Infinity, after] = listSequences();
    expect(after).toBeGreaterThan(before);
  });
});

describe('a job that was lost and enqueued again', () => {
  it('a job that was enqueued again has greater event numbers than every start of the lost job', async () => {
    await createReporter(1_000_000).reportEnd({ outcome: 'failed', code: 'file_empty', message: 'It is empty.' });
    await createReporter(1, 1).reportEnd({ outcome: 'indexed' });
    const [before = Infinity, after = 0] = listSequences();
    expect(after).toBeGreaterThan(before);
  });
});

describe('numbering the events of a run', () => {
  it('the event numbers of two starts of a job, or of two jobs of a run, never overlap', () => {
    const all = [0, 1, 2, 3].flatMap((repeat) =>
      (['fetching-one', 'whole'] as const).flatMap((phase) =>
        Array.from({ length: 99 }, (_, at) => computeEventNumbers({ starts: at + 1, repeat, phase })),
      ),
    );
    for (const [at, { first, last }] of all.entries()) {
      expect(first).toBeGreaterThan(all[at - 1]?.last ?? 0);
      expect(last).toBeGreaterThan(first);
    }
  });

  it('event numbers fit into an integer of PostgreSQL for any number of starts and up to three repetitions of a job', () => {
    expect(computeEventNumbers({ starts: 10_000_000, repeat: 3, phase: 'whole' }).last).toBeLessThan(2 ** 31);
  });

  it('a fetching job has lower event numbers than the indexing job of its run, even after 5,000 starts', () => {
    expect(computeEventNumbers({ starts: 5_000, phase: 'fetching-one' }).last).toBeLessThan(
      computeEventNumbers({ starts: 1, phase: 'whole' }).first,
    );
  });
});

const ONE = { ...NO_COUNTERS, discovered: 1, fetched: 1 };

it.each([
  [{ outcome: 'indexed' }, { status: 'synched', counters: { ...ONE, indexed: 1 } }],
  [{ outcome: 'unchanged' }, { status: 'synched', counters: { ...ONE, unchanged: 1 } }],
  [{ outcome: 'skipped' }, { status: 'synched', counters: { ...ONE, skipped: 1 } }],
  [
    { outcome: 'failed', code: 'file_empty' },
    { status: 'error', counters: { ...ONE, failed: 1 } },
  ],
  [
    { outcome: 'failed', code: 'usage_limit_reached' },
    { status: 'usage_limit_reached', counters: { ...ONE, failed: 1 } },
  ],
  [{ outcome: 'read_failed', code: 'listing_not_found' }, { status: 'error' }],
] as const)(
  'createFieldsForEarlierGateways returns the status and the counters of a run that ends with %j',
  (end, fields) => {
    expect(createFieldsForEarlierGateways(end)).toEqual(fields);
  },
);
