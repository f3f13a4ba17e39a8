import { GiveUp, TryLater } from '@quarry/contracts';
import { DelayedError, UnrecoverableError, WaitingError } from 'bullmq';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { JobRetry, JobWatch } from '@quarry/queue';
import { recorder, type Recorded, sampleQueue, type NoteJobs, silentLog } from '@quarry/queue/testing';
import type { BullJob } from './queue-server.js';
import { RetriedAttempt, RunningJobs } from './running-jobs.js';

interface FakeJob extends BullJob {
  readonly asked: string[];
}

/** @param broken whether BullMQ's server is away */
function fakeJob(broken = false): FakeJob {
  const asked: string[] = [];
  const ask = async (what: string): Promise<number> => {
    asked.push(what);
    if (broken) throw new Error('the server is away');
    return 0;
  };
  return {
    asked,
    id: 'note.a',
    name: 'note',
    data: { key: 'a' },
    attemptsMade: 0,
    attemptsStarted: 1,
    stalledCounter: 0,
    progress: 0,
    async updateProgress(progress) {
      await ask(`keep ${JSON.stringify(progress)}`);
    },
    async moveToDelayed() {
      await ask('delay');
    },
    moveToWait: () => ask('wait'),
  };
}

function runningJobs(recorded: Recorded, watch?: JobWatch): RunningJobs<NoteJobs> {
  const { handlers } = recorded;
  const onRetry = (retry: JobRetry<NoteJobs>) => recorded.onRetry(retry);
  const runner = { contract: sampleQueue(), handlers, onFailed: undefined, onRetry, maxStalls: 0, hookRetryMs: 7 };
  return new RunningJobs(runner, silentLog, watch);
}

function throwing(error: Error): Recorded {
  return recorder(() => {
    throw error;
  });
}

describe('RunningJobs', () => {
  it.each([
    ['an error', new Error('bad'), Error, []],
    ['TryLater', new TryLater(5, 'busy'), DelayedError, ['delay']],
    [
      'GiveUp',
      new GiveUp<'torn'>('torn', 'bad'),
      UnrecoverableError,
      ['keep {"failing":{"code":"torn","message":"bad"}}'],
    ],
  ])('tells BullMQ in its words of %s', async (_, error, word, asked) => {
    const job = fakeJob();
    await expect(runningJobs(throwing(error)).process(job, 'token')).rejects.toBeInstanceOf(word);
    expect(job.asked).toEqual(asked);
  });

  it('passes the delay to BullMQ that was reported with the retry', async () => {
    vi.useFakeTimers({ now: 0 });
    onTestFinished(() => void vi.useRealTimers());
    const recorded = throwing(new Error('bad'));
    const thrown: unknown = await runningJobs(recorded)
      .process(fakeJob(), 'token')
      .catch((error: unknown) => error);
    const [retry] = recorded.retries;
    expect(thrown).toBeInstanceOf(RetriedAttempt);
    expect(thrown).toMatchObject({ message: 'bad', delayMs: retry?.nextAttemptAt.getTime() });
  });

  it('reports no retry of a job that was taken over elsewhere', async () => {
    const recorded = recorder(() => {
      jobs.lockLost('note.a');
      throw new TryLater(5, 'busy', { code: 'rate_limited' });
    });
    const jobs = runningJobs(recorded);
    await expect(jobs.process(fakeJob(), 'token')).rejects.toBeInstanceOf(DelayedError);
    expect(recorded.retries).toEqual([]);
  });

  it('leaves a job to its lock when the server is away, and never lets BullMQ fail it', async () => {
    for (const error of [new TryLater(5, 'busy'), new GiveUp<'torn'>('torn', 'bad')])
      await expect(runningJobs(throwing(error)).process(fakeJob(true), 'token')).rejects.toBeInstanceOf(DelayedError);
  });

  it('records nothing of a job that was taken over elsewhere, and stops it', async () => {
    for (const end of ['return', 'throw']) {
      const recorded = recorder(async (_, { signal }) => {
        await new Promise((stop) => {
          signal.addEventListener('abort', stop);
        });
        if (end === 'throw') throw new GiveUp<'torn'>('torn', 'bad');
      });
      const jobs = runningJobs(recorded);
      const job = fakeJob();
      const processing = jobs.process(job, 'token');
      jobs.lockLost('another');
      expect(recorded.runs[0]?.job.signal.aborted).toBe(false);
      jobs.lockLost('note.a');
      await expect(processing).rejects.toBeInstanceOf(DelayedError);
      expect(recorded.runs[0]?.job.signal.aborted).toBe(true);
      expect(job.asked).toEqual([]);
    }
  });

  it('tells whoever watches of each start, before the job is run, and of its end, however it ends', async () => {
    const told: string[] = [];
    const watch: JobWatch = {
      started: ({ job }) => told.push(`${job} starts`),
      ended: ({ job, outcome }) => told.push(`${job}: ${outcome}`),
    };
    const recorded = recorder(() => void told.push('it runs'));
    await runningJobs(recorded, watch).process(fakeJob(), 'token');
    const torn = runningJobs(throwing(new TryLater(5, 'busy')), watch).process(fakeJob(true), 'token');
    await expect(torn).rejects.toBeInstanceOf(DelayedError);
    expect(told).toEqual(['note starts', 'it runs', 'note: done', 'note starts', 'note: later']);
  });

  it('gives back what BullMQ starts when it must take no more', async () => {
    const recorded = recorder();
    const jobs = runningJobs(recorded);
    jobs.refuse();
    const job = fakeJob();
    await expect(jobs.process(job, 'token')).rejects.toBeInstanceOf(WaitingError);
    expect(job.asked).toEqual(['wait']);
    expect(recorded.runs).toEqual([]);
  });
});
