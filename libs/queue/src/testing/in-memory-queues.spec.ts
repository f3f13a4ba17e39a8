import { GiveUp, TryLater } from '@quarry/contracts';
import { beforeEach, describe, expect, it } from 'vitest';
import { describePacing } from './conformance/describe-pacing.js';
import { createRecorder } from './conformance/recorder.js';
import { createContractOfOtherVersion, createSampleQueue } from './conformance/sample-queue.js';
import { createInMemoryQueues, type InMemoryQueues } from './in-memory-queues.js';

const contract = createSampleQueue('notes');
let queues: InMemoryQueues;

beforeEach(() => {
  queues = createInMemoryQueues();
});

describe('in-memory queues', () => {
  describePacing(
    () => queues,
    async () => queues,
  );

  it('listAddedJobs returns the added jobs in order, each id once, and no job runs before runAllJobs is called', async () => {
    const recorded = createRecorder();
    queues.startConsumer(contract, recorded.handlers, { concurrency: 1 });
    const producer = queues.createProducer(contract);
    expect(await producer.add('note', { key: 'b' }, { delayMs: 5 })).toBe('note.b');
    await producer.addAll([
      { name: 'memo', payload: { key: 'a' } },
      { name: 'note', payload: { key: 'b', text: 'again' } },
    ]);
    expect(queues.listAddedJobs(contract)).toEqual([
      { id: 'note.b', readable: true, name: 'note', payload: { key: 'b' }, delayMs: 5 },
      { id: 'memo.a', readable: true, name: 'memo', payload: { key: 'a' }, delayMs: 0 },
    ]);
    expect(recorded.runs).toEqual([]);
    expect(await queues.countJobs(contract)).toMatchObject({ waiting: 2, completed: 0 });
  });

  it('runAllJobs runs all waiting jobs, including the jobs that handlers add to any queue meanwhile', async () => {
    const other = createSampleQueue('others');
    const done: string[] = [];
    const handleNote = async ({ key }: { readonly key: string }): Promise<void> => {
      done.push(key);
      if (key === 'a') await queues.createProducer(other).add('note', { key: 'b' });
    };
    for (const each of [contract, other])
      queues.startConsumer(each, { note: handleNote, memo: handleNote }, { concurrency: 1 });
    await queues.createProducer(contract).add('note', { key: 'a' });
    await queues.runAllJobs();
    expect(done).toEqual(['a', 'b']);
    expect(await queues.countJobs(other)).toMatchObject({ waiting: 0, completed: 1 });
    expect(await queues.findJobState(other, 'note.b')).toBe('completed');
    expect(await queues.findJobState(other, 'note.a')).toBeUndefined();
  });

  it('runAllJobs does not run the jobs of a queue without a consumer', async () => {
    const recorded = createRecorder();
    const consumer = queues.startConsumer(contract, recorded.handlers, { concurrency: 1 });
    await consumer.close(0);
    await queues.createProducer(contract).add('note', { key: 'a' });
    await queues.runAllJobs();
    expect(await queues.countJobs(contract)).toMatchObject({ waiting: 1 });
  });

  it('in-memory queues retry, delay, fail and report jobs in the same way as queues on a server', async () => {
    const recorded = createRecorder((call) => {
      if (call === 1) throw new TryLater(60_000, 'busy');
      if (call < 5) throw new Error('bad \0');
      throw new GiveUp<'permanent_failure'>('permanent_failure', 'the test job fails permanently');
    });
    queues.startConsumer(contract, recorded.handlers, {
      concurrency: 1,
      onFailed: (failure) => recorded.onFailed(failure),
    });
    await queues.createProducer(contract).add('note', { key: 'a' });
    await queues.runAllJobs();
    expect(recorded.runs.map(({ job }) => [job.attempt, job.starts, job.lastAttempt])).toEqual([
      [1, 1, false],
      [1, 2, false],
      [2, 3, false],
      [3, 4, true],
    ]);
    await queues.createProducer(contract).add('memo', { key: 'a' });
    await queues.runAllJobs();
    const reasons = [
      { code: 'attempts_exhausted' },
      { code: 'permanent_failure', message: 'the test job fails permanently' },
    ];
    expect(recorded.failures.map(({ reason }) => reason)).toMatchObject(reasons);
    expect(queues.listFailures(contract)).toEqual(recorded.failures);
  });

  it('in-memory queues reject unknown fields when a job is added, but ignore unknown fields when a job runs', async () => {
    const stranger = { key: 'a', colour: 'red' };
    await expect(queues.createProducer(contract).add('note', stranger)).rejects.toThrow(/colour/);
    await queues.createProducer(createContractOfOtherVersion(contract)).add('note', stranger);
    await queues.createProducer(createContractOfOtherVersion(contract)).add('postcard', { key: 'b' });
    const recorded = createRecorder();
    queues.startConsumer(contract, recorded.handlers, { concurrency: 1 });
    await queues.runAllJobs();
    expect(recorded.runs.map(({ payload }) => payload)).toEqual([{ key: 'a' }]);
    expect(queues.listFailures(contract)).toMatchObject([{ readable: false, name: 'postcard' }]);
  });

  it('runAllJobs throws if a job is retried without end', async () => {
    const recorded = createRecorder(() => {
      throw new TryLater(1, 'never');
    });
    queues.startConsumer(contract, recorded.handlers, { concurrency: 1 });
    await queues.createProducer(contract).add('note', { key: 'a' });
    await expect(queues.runAllJobs()).rejects.toThrow(
      /note\.a of queue notes to end, found it unfinished after 2000 starts/,
    );
  });
});
