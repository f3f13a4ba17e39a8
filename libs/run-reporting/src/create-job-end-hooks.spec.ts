import { datasourceStatusQueue, NO_COUNTERS, REASONS, type DatasourceStatusJobs } from '@quarry/contracts';
import { parse } from '@quarry/validation';
import { beforeEach, describe, expect, it } from 'vitest';
import { createJobEndHooks } from './create-job-end-hooks.js';
import { computeEventNumbers, createRunReporter, type Reporting } from './run-reporter.js';
import { createStatusEmitter } from './status-emitter.js';

const RUN = { datasourceId: 'datasource', runId: 'run' };
const AT = new Date('2026-06-01T12:00:00.000Z');
const NEXT = new Date('2026-06-01T12:00:02.500Z');
const UNAVAILABLE = { code: 'embedder_unavailable', message: 'The embedder did not answer.' };

let events: { readonly name: string; readonly payload: object }[];
let logged: object[];
let reporting: Reporting;
beforeEach(() => {
  events = [];
  logged = [];
  const statuses = createStatusEmitter({
    add: async <Name extends keyof DatasourceStatusJobs>(name: Name, payload: DatasourceStatusJobs[Name]) => {
      parse(datasourceStatusQueue.jobs[name].payload, payload, 'refuse');
      events.push({ name, payload });
    },
  });
  reporting = { statuses, now: () => AT };
});

const log = { error: (fields: object) => void logged.push(fields) };
const retried = { name: 'crawl-site', payload: RUN, reason: UNAVAILABLE, nextAttemptAt: NEXT };

describe('the retry of a job', () => {
  it('onRetry emits the last event of a start of the job, with the reason of the failure, the failed attempt and the time of the next attempt', async () => {
    createRunReporter(reporting, RUN, { starts: 2, phase: 'whole' }).reportStart();
    await createJobEndHooks(reporting).onRetry(retried, { attempt: 2, starts: 3 });
    expect(events).toEqual([
      {
        name: 'run-retrying',
        payload: {
          ...RUN,
          sequence: computeEventNumbers({ starts: 3, phase: 'whole' }).last,
          at: AT.toISOString(),
          lastError: { ...UNAVAILABLE, attempt: 2, nextAttemptAt: NEXT.toISOString() },
        },
      },
    ]);
  });

  it('the event of onRetry has the last event number that is reserved for the start and the phase of the job', async () => {
    await createJobEndHooks(reporting, () => 'fetching-one').onRetry(retried, { attempt: 1, starts: 1 });
    expect(events).toMatchObject([
      { payload: { sequence: computeEventNumbers({ starts: 1, phase: 'fetching-one' }).last } },
    ]);
  });
});

describe('a permanently failed job', () => {
  const failed = { readable: true, name: 'crawl-site', payload: RUN } as const;

  it('onFailed reports `read_failed` with the code of the failure, and with a greater event number than all earlier events of the run', async () => {
    await createRunReporter(reporting, RUN, { starts: 1, phase: 'whole' }).reportEnd({
      outcome: 'indexed',
    });
    await createJobEndHooks(reporting).onFailed({ ...failed, reason: UNAVAILABLE }, { attempt: 1, starts: 3, log });
    expect(events.at(-1)?.payload).toMatchObject({ outcome: 'read_failed', ...UNAVAILABLE, sequence: 39_999 });
  });

  it('if a job fetches the only document of its run, onFailed reports the run as `failed` and counts the failed document', async () => {
    const { onFailed } = createJobEndHooks(reporting, () => 'fetching-one');
    await onFailed({ ...failed, reason: UNAVAILABLE }, { attempt: 1, starts: 1, log });
    await createJobEndHooks(reporting).onFailed({ ...failed, reason: UNAVAILABLE }, { attempt: 1, starts: 1, log });
    const [page, site] = events.map(({ payload }) => payload);
    expect(page).toMatchObject({
      outcome: 'failed',
      counters: { ...NO_COUNTERS, discovered: 1, fetched: 1, failed: 1 },
    });
    expect(site).not.toHaveProperty('counters');
  });

  it('onFailed reports a general message for `attempts_exhausted`; it logs an undocumented code, and reports it as `internal_error`', async () => {
    const internal = 'connect ECONNREFUSED 10.0.0.7:6333';
    const { onFailed } = createJobEndHooks(reporting);
    await onFailed(
      { ...failed, reason: { code: 'attempts_exhausted', message: internal } },
      { attempt: 5, starts: 5, log },
    );
    await onFailed({ ...failed, reason: { code: 'made_up', message: internal } }, { attempt: 1, starts: 1, log });
    expect(events.map(({ payload }) => payload)).toMatchObject([
      { code: 'attempts_exhausted', message: REASONS.attempts_exhausted },
      { code: 'internal_error', message: REASONS.internal_error },
    ]);
    expect(logged).toEqual([{ code: 'made_up' }]);
  });

  it('if the payload of a failed job is unreadable, onFailed logs the failure and emits no event', async () => {
    const reason = { code: 'payload_unreadable', message: 'runId: must be a string' };
    await createJobEndHooks(reporting).onFailed({ readable: false, name: 'x', reason }, { attempt: 1, starts: 1, log });
    expect(events).toEqual([]);
    expect(logged).toEqual([{ code: 'payload_unreadable' }]);
  });
});
