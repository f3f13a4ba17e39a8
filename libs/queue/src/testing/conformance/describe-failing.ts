import { AttemptFailed, GiveUp, REASONS, TryLater } from '@quarry/contracts';
import { expect, it } from 'vitest';
import type { Queues } from '../../queues.js';
import { createRecorder } from './recorder.js';
import { createContractOfOtherVersion } from './sample-queue.js';
import { waitUntilCheckPasses, openTestQueue } from './test-queue.js';

/** Asserts the guarantees of `Queues` about retries, delays and permanent failures of jobs. */
export function describeFailing(getQueues: () => Queues): void {
  it('a queue retries a job after an error, and the handler receives the number of the attempt', async () => {
    const queue = openTestQueue(getQueues());
    const recorded = createRecorder((call) => {
      if (call < 3) throw new Error('the first attempts fail');
    });
    queue.startConsumer(recorded);
    await queue.addNote('a');
    await waitUntilCheckPasses(async () => {
      expect((await queue.countJobs()).completed).toBe(1);
    });
    expect(recorded.runs.map(({ job }) => [job.attempt, job.starts, job.lastAttempt])).toEqual([
      [1, 1, false],
      [2, 2, false],
      [3, 3, true],
    ]);
    expect(recorded.failures).toEqual([]);
  });

  it('a queue fails a job after its last attempt, and onFailed receives the last error', async () => {
    const queue = openTestQueue(getQueues());
    const recorded = createRecorder((call) => {
      throw new Error(`error ${call}`);
    });
    queue.startConsumer(recorded);
    await queue.addNote('a');
    await waitUntilCheckPasses(async () => {
      expect((await queue.countJobs()).failed).toBe(1);
    });
    expect(recorded.runs).toHaveLength(3);
    expect(recorded.failures).toEqual([
      {
        readable: true,
        name: 'note',
        payload: { key: 'a' },
        reason: { code: 'attempts_exhausted', message: 'error 3' },
      },
    ]);
  });

  it('a queue fails a job at once when its handler throws GiveUp', async () => {
    const queue = openTestQueue(getQueues());
    const recorded = createRecorder(() => {
      throw new GiveUp<'permanent_failure'>('permanent_failure', 'the test job fails permanently');
    });
    queue.startConsumer(recorded);
    await queue.addNote('a');
    await waitUntilCheckPasses(async () => {
      expect((await queue.countJobs()).failed).toBe(1);
    });
    expect(recorded.runs).toHaveLength(1);
    expect(recorded.failures.map(({ reason }) => reason)).toEqual([
      { code: 'permanent_failure', message: 'the test job fails permanently' },
    ]);
  });

  it('a start that ends with TryLater counts as a start, but not as an attempt', async () => {
    const queue = openTestQueue(getQueues());
    const recorded = createRecorder((call) => {
      if (call <= 4) throw new TryLater(5.5, 'busy');
      if (call === 5) throw new Error('the fifth start fails');
    });
    queue.startConsumer(recorded);
    await queue.addNote('a');
    await waitUntilCheckPasses(async () => {
      expect((await queue.countJobs()).completed).toBe(1);
    });
    expect(recorded.runs.map(({ job }) => job.attempt)).toEqual([1, 1, 1, 1, 1, 2]);
    expect(recorded.runs.map(({ job }) => job.starts)).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('for each retry, onRetry receives the time of the next attempt, and a reason without the text of internal errors', async () => {
    const queue = openTestQueue(getQueues());
    const recorded = createRecorder((call) => {
      if (call === 1) throw new Error('connect ECONNREFUSED 10.0.0.7:6333');
      if (call === 2) throw new AttemptFailed('embedder_unavailable', 'the embedder is unavailable');
      if (call === 3) throw new TryLater(5, 'no reason for users');
      if (call === 4) throw new TryLater(5, 'the site asks for a pause', { code: 'rate_limited' });
    });
    queue.startConsumer(recorded);
    await queue.addNote('a');
    await waitUntilCheckPasses(async () => {
      expect((await queue.countJobs()).completed).toBe(1);
    });
    expect(recorded.retries).toMatchObject([
      { name: 'note', payload: { key: 'a' }, reason: { code: 'internal_error', message: REASONS.internal_error } },
      { reason: { code: 'embedder_unavailable', message: 'the embedder is unavailable' } },
      { reason: { code: 'rate_limited', message: 'the site asks for a pause' } },
    ]);
    for (const { nextAttemptAt } of recorded.retries) expect(nextAttemptAt).toBeInstanceOf(Date);
    expect(recorded.failures).toEqual([]);
  });

  it('a queue retries a job even if onRetry throws, and fails the job with the reason of the last attempt', async () => {
    const queue = openTestQueue(getQueues());
    const recorded = createRecorder(() => {
      throw new AttemptFailed('embedder_unavailable', 'the embedder is unavailable');
    });
    queue.startConsumer({
      ...recorded,
      onRetry() {
        return Promise.reject(new Error('the queue is unavailable'));
      },
    });
    await queue.addNote('a');
    await waitUntilCheckPasses(async () => {
      expect((await queue.countJobs()).failed).toBe(1);
    });
    expect(recorded.runs).toHaveLength(3);
    expect(recorded.failures.map(({ reason }) => reason)).toEqual([
      { code: 'embedder_unavailable', message: 'the embedder is unavailable' },
    ]);
  });

  it('a queue fails a job without a retry if its payload is unreadable or its name is unknown', async () => {
    const queue = openTestQueue(getQueues());
    const otherVersion = getQueues().createProducer(createContractOfOtherVersion(queue.contract));
    await otherVersion.add('note', { key: 'a', text: 7 });
    await otherVersion.add('postcard', { key: 'b' });
    const recorded = createRecorder();
    queue.startConsumer(recorded);
    await waitUntilCheckPasses(async () => {
      expect((await queue.countJobs()).failed).toBe(2);
    });
    expect(recorded.runs).toEqual([]);
    expect(recorded.failures).toMatchObject([
      { readable: false, name: 'note', payload: { text: 7 }, reason: { code: 'payload_unreadable' } },
      { readable: false, name: 'postcard', payload: { key: 'b' }, reason: { code: 'payload_unreadable' } },
    ]);
    expect(recorded.failures.map(({ reason }) => reason.message)).toEqual([
      expect.stringMatching(/text: must be a string, found 7/),
      expect.stringMatching(/accepts the jobs note, memo, found a job with the name postcard/),
    ]);
  });

  it('if onFailed throws an error, a queue calls it again until it succeeds, and does not run the job again', async () => {
    const queue = openTestQueue(getQueues());
    const recorded = createRecorder(() => {
      throw new GiveUp<'permanent_failure'>('permanent_failure', 'the test job fails permanently');
    });
    let reports = 0;
    queue.startConsumer({
      ...recorded,
      async onFailed(failure) {
        reports += 1;
        expect((await queue.countJobs()).failed).toBe(0);
        if (reports === 1) throw new Error('the first call of onFailed fails');
        await recorded.onFailed(failure);
      },
    });
    await queue.addNote('a');
    await waitUntilCheckPasses(async () => {
      expect((await queue.countJobs()).failed).toBe(1);
    });
    expect(reports).toBe(2);
    expect(recorded.runs).toHaveLength(1);
    expect(recorded.failures.map(({ reason }) => reason.code)).toEqual(['permanent_failure']);
  });
}
