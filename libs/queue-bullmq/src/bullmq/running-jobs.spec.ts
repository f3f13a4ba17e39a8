import { GiveUp, TryLater } from '@quarry/contracts';
import { DelayedError, UnrecoverableError, WaitingError } from 'bullmq';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { JobRetry, JobWatch } from '@quarry/queue';
import { createRecorder, type Recorded, createSampleQueue, type NoteJobs, silentLog } from '@quarry/queue/testing';
import type { BullJob } from './queue-server.js';
import { RetriedAttempt, RunningJobs } from './running-jobs.js';

interface FakeJob extends BullJob {
  readonly calls: string[];
}

/** Creates a job of BullMQ that records the calls of its methods. @param isUnavailable true: the methods fail */
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
    },
    async moveToDelayed() {
      await recordCall('delay');
    },
    moveToWait: () => recordCall('wait'),
  };
}

function createRunningJobs(recorded: Recorded, watch?: JobWatch): RunningJobs<NoteJobs> {
  const { handlers } = recorded;
  const onRetry = (retry: JobRetry<NoteJobs>) => recorded.onRetry(retry);
  const runner = {
    contract: createSampleQueue(),
    handlers,
    onFailed: undefined,
    onRetry,
    maxStalls: 0,
    hookRetryMs: 7,
  };
  return new RunningJobs(runner, silentLog, { watch });
}

function createThrowingHandler(error: Error): Recorded {
  return createRecorder(() => {
    throw error;
  });
}

describe('the jobs that a worker runs', () => {
  it.each([
    ['an error', new Error('bad'), Error, []],
    ['TryLater', new TryLater(5, 'busy'), DelayedError, ['delay']],
    [
      'GiveUp',
      new GiveUp<'permanent_failure'>('permanent_failure', 'bad'),
      UnrecoverableError,
      ['keep {"failing":{"code":"permanent_failure","message":"bad"}}'],
    ],
  ])('a worker throws the error that BullMQ expects for %s', async (_, error, word, calls) => {
    const job = createFakeJob();
    await expect(createRunningJobs(createThrowingHandler(error)).runFetchedJob(job, 'token')).rejects.toBeInstanceOf(
      word,
    );
    expect(job.calls).toEqual(calls);
  });

  it('a worker reports the same delay for a retry as BullMQ uses', async () => {
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

  it('a worker reports no retry of a job that another process has taken over', async () => {
    const recorded = createRecorder(() => {
      jobs.abortLostJob('note.a');
      throw new TryLater(5, 'busy', { code: 'rate_limited' });
    });
    const jobs = createRunningJobs(recorded);
    await expect(jobs.runFetchedJob(createFakeJob(), 'token')).rejects.toBeInstanceOf(DelayedError);
    expect(recorded.retries).toEqual([]);
  });

  it('a worker leaves a job locked when the server is unavailable, so that BullMQ does not fail it', async () => {
    for (const error of [new TryLater(5, 'busy'), new GiveUp<'permanent_failure'>('permanent_failure', 'bad')])
      await expect(
        createRunningJobs(createThrowingHandler(error)).runFetchedJob(createFakeJob(true), 'token'),
      ).rejects.toBeInstanceOf(DelayedError);
  });

  it('a worker records no outcome of a job that another process has taken over, and aborts that job', async () => {
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

  it('a worker notifies the watch before each start of a job, and at its end with any outcome', async () => {
    const calls: string[] = [];
    const watch: JobWatch = {
      recordStart: ({ job }) => calls.push(`${job} starts`),
      recordEnd: ({ job, outcome }) => calls.push(`${job}: ${outcome}`),
    };
    const recorded = createRecorder(() => void calls.push('it runs'));
    await createRunningJobs(recorded, watch).runFetchedJob(createFakeJob(), 'token');
    const postponed = createRunningJobs(createThrowingHandler(new TryLater(5, 'busy')), watch).runFetchedJob(
      createFakeJob(true),
      'token',
    );
    await expect(postponed).rejects.toBeInstanceOf(DelayedError);
    expect(calls).toEqual(['note starts', 'it runs', 'note: done', 'note starts', 'note: later']);
  });

  it('a worker that stopped accepting jobs returns a job that BullMQ starts afterwards to the queue', async () => {
    const recorded = createRecorder();
    const jobs = createRunningJobs(recorded);
    jobs.stopAccepting();
    const job = createFakeJob();
    await expect(jobs.runFetchedJob(job, 'token')).rejects.toBeInstanceOf(WaitingError);
    expect(job.calls).toEqual(['wait']);
    expect(recorded.runs).toEqual([]);
  });
});
