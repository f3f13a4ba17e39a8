import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isSettledStatus, SETTLED_STATUSES } from './type-and-status.js';
import { INITIAL_STATE, applyDatasourceEvent, type DatasourceState, type DatasourceEvent } from './datasource-state.js';

const runId = fc.constantFrom('run-1', 'run-2', 'run-3');
const sequence = fc.integer({ min: 1, max: 20 });
const anyEvent: fc.Arbitrary<DatasourceEvent> = fc.oneof(
  fc.record({ type: fc.constant('enqueued' as const), runId }),
  fc.record({ type: fc.constantFrom('started' as const, 'progressed' as const), runId, sequence }),
  fc.record({ type: fc.constant('settled' as const), runId, sequence, status: fc.constantFrom(...SETTLED_STATUSES) }),
);

function applyEvent(state: DatasourceState, event: DatasourceEvent): DatasourceState {
  const result = applyDatasourceEvent(state, event);
  return result.accepted ? result.next : state;
}

function applyEvents(events: readonly DatasourceEvent[], from: DatasourceState = INITIAL_STATE): DatasourceState {
  return events.reduce(applyEvent, from);
}

describe('the state machine of a datasource', () => {
  it('a datasource moves from unsynched through pending and running to synched, and to pending when the next run is enqueued', () => {
    const statuses: string[] = [];
    const steps: DatasourceEvent[] = [
      { type: 'enqueued', runId: 'run-1' },
      { type: 'started', runId: 'run-1', sequence: 1 },
      { type: 'progressed', runId: 'run-1', sequence: 2 },
      { type: 'settled', runId: 'run-1', sequence: 3, status: 'synched' },
      { type: 'enqueued', runId: 'run-2' },
    ];
    steps.reduce((state, step) => {
      const next = applyEvent(state, step);
      statuses.push(next.status);
      return next;
    }, INITIAL_STATE);
    expect(statuses).toEqual(['pending', 'running', 'running', 'synched', 'pending']);
  });

  it('a datasource ignores repeated events, events of a settled run, and events of a run that is not its latest', () => {
    const running: DatasourceState = { status: 'running', runId: 'run-2', sequence: 5 };
    expect(applyDatasourceEvent(running, { type: 'started', runId: 'run-1', sequence: 9 })).toEqual({
      accepted: false,
      reason: 'stale_run',
    });
    expect(applyDatasourceEvent(running, { type: 'progressed', runId: 'run-2', sequence: 5 })).toEqual({
      accepted: false,
      reason: 'out_of_order',
    });
    const settled: DatasourceState = { ...running, status: 'synched' };
    expect(applyDatasourceEvent(settled, { type: 'started', runId: 'run-2', sequence: 9 })).toEqual({
      accepted: false,
      reason: 'not_allowed',
    });
  });

  it('a datasource ignores late events of a superseded run, and a second `enqueued` event of its latest run', () => {
    const running: DatasourceState = { status: 'running', runId: 'run-1', sequence: 5 };
    const superseded = applyDatasourceEvent(running, { type: 'enqueued', runId: 'run-2' });
    expect(superseded).toEqual({ accepted: true, next: { status: 'pending', runId: 'run-2', sequence: 0 } });
    const late: DatasourceEvent = { type: 'settled', runId: 'run-1', sequence: 6, status: 'synched' };
    expect(applyEvent(applyEvent(running, { type: 'enqueued', runId: 'run-2' }), late)).toMatchObject({
      status: 'pending',
    });
    expect(applyDatasourceEvent(running, { type: 'enqueued', runId: 'run-1' })).toEqual({
      accepted: false,
      reason: 'not_allowed',
    });
  });

  it('a datasource accepts each event at most once, however often it is delivered', () => {
    fc.assert(
      fc.property(fc.array(anyEvent), (events) => {
        expect(applyEvents(events.flatMap((event) => [event, event]))).toEqual(applyEvents(events));
      }),
    );
  });

  it('a datasource reaches the settled status of a run in whatever order the events of the run arrive', () => {
    const run = fc.integer({ min: 1, max: 10 }).chain((steps) => {
      const events: DatasourceEvent[] = Array.from({ length: steps }, (_, index) => ({
        type: index === 0 ? 'started' : 'progressed',
        runId: 'run-1',
        sequence: index + 1,
      }));
      const all: DatasourceEvent[] = [
        ...events,
        { type: 'settled', runId: 'run-1', sequence: steps + 1, status: 'error' },
      ];
      return fc.shuffledSubarray(all, { minLength: all.length });
    });
    fc.assert(
      fc.property(run, (shuffled) => {
        const pending = applyEvents([{ type: 'enqueued', runId: 'run-1' }]);
        expect(applyEvents(shuffled, pending).status).toBe('error');
      }),
    );
  });

  it('a datasource leaves a settled status only when a new run is enqueued', () => {
    fc.assert(
      fc.property(fc.array(anyEvent), anyEvent, (events, event) => {
        const before = applyEvents(events);
        if (!isSettledStatus(before.status)) return;
        const after = applyEvent(before, event);
        if (after.status !== before.status) {
          expect(after.status).toBe('pending');
          expect(after.runId).not.toBe(before.runId);
        }
      }),
    );
  });

  it('the sequence number of the last accepted event of a run never decreases', () => {
    fc.assert(
      fc.property(fc.array(anyEvent), anyEvent, (events, event) => {
        const before = applyEvents(events);
        const after = applyEvent(before, event);
        if (after.runId === before.runId) expect(after.sequence).toBeGreaterThanOrEqual(before.sequence);
      }),
    );
  });
});
