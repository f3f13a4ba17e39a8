import { GiveUp, TryLater, type OwnerShare } from '@quarry/contracts';
import { DelayedError, UnrecoverableError, WaitingError } from 'bullmq';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { JobRetry, JobWatch } from '@quarry/queue';
import { createRecorder, type Recorder, createSampleQueue, type NoteJobs, silentLog } from '@quarry/queue/testing';
import type { BullJob } from './queue-server.js';
import { RetriedAttempt, RunningJobs, type RunningJobsOptions } from './running-jobs.js';

interface FakeJob extends BullJob {
  readonly calls: string[];
}

/**
 * Creates a job of BullMQ that records the calls of its methods.
 *
 * @param isUnavailable true: the methods of the job throw an error
 */
function createFakeJob(isUnavailable = false): FakeJob {
  const calls: string[] = [];
  const recordCall = async (what: string): Promise<number> => {
    calls.push(what);
    if (isUnavailable) throw new Error('the server is unavailable');
    return 0;
  };
  return {
    calls,
    id: 'note.a',
    name: 'note',
    data: { key: 'a' },
    attemptsMade: 0,
    attemptsStarted: 1,
    timestamp: 0,
    stalledCounter: 0,
    progress: 0,
    async updateProgress(progress) {
      await recordCall(`keep ${JSON.stringify(progress)}`);
      this.progress = progress;
    },
    async moveToDelayed(timestamp) {
      // PostgreSQL refuses a time with a fraction of a millisecond.
      await recordCall(Number.isInteger(timestamp) ? 'delay' : 'refused delay');
    },
    moveToWait: () => recordCall('wait'),
  };
}

/** Limits each owner to one running job. The field `key` of a note names the owner. */
const ONE_SLOT = { field: 'key', max: 1, slowAfterMs: 60_000 };

function createRunningJobs(
  recorded: Recorder,
  { ownerShare, ...options }: RunningJobsOptions & { readonly ownerShare?: OwnerShare } = {},
): RunningJobs<NoteJobs> {
  const { handlers } = recorded;
  const onRetry = (retry: JobRetry<NoteJobs>) => recorded.onRetry(retry);
  const runner = {
    contract: { ...createSampleQueue(), ...(ownerShare !== undefined && { ownerShare }) },
    handlers,
    onFailed: undefined,
    onRetry,
    maxStalls: 0,
    hookRetryMs: 7,
  };
  return new RunningJobs(runner, silentLog, options);
}

function createThrowingHandler(error: Error): Recorder {
  return createRecorder(() => {
    throw error;
  });
}

describe('the jobs that a worker runs', () => {
  it.each([
    ['an error', new Error('bad'), Error, []],
    ['TryLater', new TryLater(5, 'busy'), DelayedError, ['delay']],
    ['TryLater with a fraction of a millisecond', new TryLater(5.5, 'busy'), DelayedError, ['delay']],
    [
      'GiveUp',
      new GiveUp<'permanent_failure'>('permanent_failure', 'bad'),
      UnrecoverableError,
      ['keep {"failing":{"code":"permanent_failure","message":"bad"},"postponements":0}'],
    ],
  ])('runFetchedJob throws the error that BullMQ expects if the handler throws %s', async (_, error, word, calls) => {
    const job = createFakeJob();
    await expect(createRunningJobs(createThrowingHandler(error)).runFetchedJob(job, 'token')).rejects.toBeInstanceOf(
      word,
    );
    expect(job.calls).toEqual(calls);
  });

  it('onRetry receives the time at which BullMQ will retry the job', async () => {
    vi.useFakeTimers({ now: 0 });
    onTestFinished(() => void vi.useRealTimers());
    const recorded = createThrowingHandler(new Error('bad'));
    const thrown: unknown = await createRunningJobs(recorded)
      .runFetchedJob(createFakeJob(), 'token')
      .catch((error: unknown) => error);
    const [retry] = recorded.retries;
    expect(thrown).toBeInstanceOf(RetriedAttempt);
    expect(thrown).toMatchObject({ message: 'bad', delayMs: retry?.nextAttemptAt.getTime() });
  });

  it('onRetry is not called for a job that another process has taken over', async () => {
    const recorded = createRecorder(() => {
      jobs.abortLostJob('note.a');
      throw new TryLater(5, 'busy', { code: 'rate_limited' });
    });
    const jobs = createRunningJobs(recorded);
    await expect(jobs.runFetchedJob(createFakeJob(), 'token')).rejects.toBeInstanceOf(DelayedError);
    expect(recorded.retries).toEqual([]);
  });

  it('if the queue server is unavailable when a job ends, the job stays locked, and BullMQ does not fail the job', async () => {
    for (const error of [new TryLater(5, 'busy'), new GiveUp<'permanent_failure'>('permanent_failure', 'bad')])
      await expect(
        createRunningJobs(createThrowingHandler(error)).runFetchedJob(createFakeJob(true), 'token'),
      ).rejects.toBeInstanceOf(DelayedError);
  });

  it('a job that another process has taken over is aborted, and its outcome is not recorded', async () => {
    for (const end of ['return', 'throw']) {
      const recorded = createRecorder(async (_, { signal }) => {
        await new Promise((stop) => {
          signal.addEventListener('abort', stop);
        });
        if (end === 'throw') throw new GiveUp<'permanent_failure'>('permanent_failure', 'bad');
      });
      const jobs = createRunningJobs(recorded);
      const job = createFakeJob();
      const processing = jobs.runFetchedJob(job, 'token');
      jobs.abortLostJob('another');
      expect(recorded.runs[0]?.job.signal.aborted).toBe(false);
      jobs.abortLostJob('note.a');
      await expect(processing).rejects.toBeInstanceOf(DelayedError);
      expect(recorded.runs[0]?.job.signal.aborted).toBe(true);
      expect(job.calls).toEqual([]);
    }
  });

  it('a `JobWatch` receives each start of a job before the handler runs, and each end of a job with the outcome', async () => {
    const calls: string[] = [];
    const watch: JobWatch = {
      recordStart: ({ job }) => calls.push(`${job} starts`),
      recordEnd: ({ job, outcome }) => calls.push(`${job}: ${outcome}`),
    };
    const recorded = createRecorder(() => void calls.push('it runs'));
    await createRunningJobs(recorded, { watch }).runFetchedJob(createFakeJob(), 'token');
    const postponed = createRunningJobs(createThrowingHandler(new TryLater(5, 'busy')), { watch }).runFetchedJob(
      createFakeJob(true),
      'token',
    );
    await expect(postponed).rejects.toBeInstanceOf(DelayedError);
    expect(calls).toEqual(['note starts', 'it runs', 'note: done', 'note starts', 'note: later']);
  });

  it('postponing a job because of the share of its owner does not increase the number of starts that the handler receives', async () => {
    const end = Promise.withResolvers<undefined>();
    const recorded = createRecorder((call) => (call === 1 ? end.promise : undefined));
    const jobs = createRunningJobs(recorded, { concurrency: 1, ownerShare: ONE_SLOT });
    const first = jobs.runFetchedJob(createFakeJob(), 'token');
    const job = createFakeJob();
    for (const attemptsStarted of [1, 2, 3]) {
      const postponed = jobs.runFetchedJob(Object.assign(job, { attemptsStarted }), 'token');
      await expect(postponed).rejects.toBeInstanceOf(DelayedError);
    }
    expect(job.calls).toEqual(['keep 1', 'delay', 'keep 2', 'delay', 'keep 3', 'delay']);
    end.resolve(undefined);
    await first;
    await jobs.runFetchedJob(Object.assign(job, { attemptsStarted: 4 }), 'token');
    expect(recorded.runs.map(({ job: { starts } }) => starts)).toEqual([1, 1]);
  });

  it('a failed job that is postponed because of the share of its owner stays failed, and does not run again', async () => {
    const end = Promise.withResolvers<undefined>();
    const recorded = createRecorder(() => end.promise);
    const jobs = createRunningJobs(recorded, { concurrency: 1, ownerShare: ONE_SLOT });
    const first = jobs.runFetchedJob(createFakeJob(), 'token');
    const failing = { code: 'permanent_failure', message: 'bad' };
    const job = Object.assign(createFakeJob(), { progress: { failing, postponements: 4 } });
    await expect(jobs.runFetchedJob(job, 'token')).rejects.toBeInstanceOf(DelayedError);
    expect(job.progress).toEqual({ failing, postponements: 5 });
    end.resolve(undefined);
    await first;
    await expect(jobs.runFetchedJob(job, 'token')).rejects.toBeInstanceOf(UnrecoverableError);
    expect(recorded.runs).toHaveLength(1);
  });

  it('a job that BullMQ fetches after stopAccepting() is returned to the queue', async () => {
    const recorded = createRecorder();
    const jobs = createRunningJobs(recorded);
    jobs.stopAccepting();
    const job = createFakeJob();
    await expect(jobs.runFetchedJob(job, 'token')).rejects.toBeInstanceOf(WaitingError);
    expect(job.calls).toEqual(['wait']);
    expect(recorded.runs).toEqual([]);
  });
});
