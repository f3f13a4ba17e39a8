import { expect, it } from 'vitest';
import type { Queues } from '../../queues.js';
import { createRecorder } from './recorder.js';
import { Note, createContractOfOtherVersion } from './sample-queue.js';
import { waitUntilCheckPasses, openTestQueue } from './test-queue.js';

const LONG_MS = 3_600_000;

/** Asserts the guarantees of `Queues` about adding jobs. */
export function describeAdding(getQueues: () => Queues): void {
  it('a handler receives the payload of an added job as an instance of the class in the contract', async () => {
    const queue = openTestQueue(getQueues());
    const recorded = createRecorder();
    queue.startConsumer(recorded);
    const id = await queue.addNote('a', 'hello');
    await waitUntilCheckPasses(() => {
      expect(recorded.runs).toHaveLength(1);
    });
    expect(recorded.runs[0]?.payload).toBeInstanceOf(Note);
    expect(recorded.runs[0]).toMatchObject({
      payload: { key: 'a', text: 'hello' },
      job: { id, attempt: 1, starts: 1, lastAttempt: false },
    });
    await waitUntilCheckPasses(async () => {
      expect(await queue.countJobs()).toEqual({ waiting: 0, delayed: 0, active: 0, completed: 1, failed: 0 });
    });
  });

  it('a queue runs a job once, even if a job with the same id is added repeatedly or after the job is done', async () => {
    const queue = openTestQueue(getQueues());
    const ids = await Promise.all([queue.addNote('a'), queue.addNote('a'), queue.addNote('a')]);
    expect(new Set(ids).size).toBe(1);
    expect((await queue.countJobs()).waiting).toBe(1);
    const recorded = createRecorder();
    queue.startConsumer(recorded);
    await waitUntilCheckPasses(async () => {
      expect((await queue.countJobs()).completed).toBe(1);
    });
    await queue.addNote('a');
    expect(await queue.countJobs()).toMatchObject({ waiting: 0, completed: 1 });
    expect(recorded.runs).toHaveLength(1);
  });

  it('a producer rejects a payload with unknown fields and adds nothing', async () => {
    const queue = openTestQueue(getQueues());
    const producer = getQueues().createProducer(queue.contract);
    const invalid = { key: 'a', colour: 'red' };
    await expect(producer.add('note', invalid)).rejects.toThrow(/colour: is not a field/);
    await expect(
      producer.addAll([
        { name: 'note', payload: { key: 'b' } },
        { name: 'note', payload: invalid },
      ]),
    ).rejects.toThrow(/colour: is not a field/);
    expect((await queue.countJobs()).waiting).toBe(0);
  });

  it('a producer adds each id of a batch of eight jobs once, and the jobs run in the order of the batch', async () => {
    const queue = openTestQueue(getQueues());
    await queue.addNote('c');
    const ids = await getQueues()
      .createProducer(queue.contract)
      .addAll(['a', 'b', 'a', 'c', 'd', 'e', 'f', 'g'].map((key) => ({ name: 'note', payload: { key } })));
    expect(ids).toEqual(['a', 'b', 'a', 'c', 'd', 'e', 'f', 'g'].map((key) => `note.${key}`));
    expect((await queue.countJobs()).waiting).toBe(7);
    const recorded = createRecorder();
    queue.startConsumer(recorded);
    await waitUntilCheckPasses(() => {
      expect(recorded.runs.map(({ key }) => key)).toEqual(['c', 'a', 'b', 'd', 'e', 'f', 'g']);
    });
    expect(await getQueues().createProducer(queue.contract).addAll([])).toEqual([]);
  });

  it('a producer adds each id of a batch of four jobs once, and the jobs run in the order of the batch', async () => {
    const queue = openTestQueue(getQueues());
    await queue.addNote('c');
    const jobs = ['a', 'a', 'c', 'b'].map((key) => ({ name: 'note' as const, payload: { key } }));
    const ids = await getQueues().createProducer(queue.contract).addAll(jobs);
    expect(ids).toEqual(['note.a', 'note.a', 'note.c', 'note.b']);
    const recorded = createRecorder();
    queue.startConsumer(recorded);
    await waitUntilCheckPasses(() => {
      expect(recorded.runs.map(({ key }) => key)).toEqual(['c', 'a', 'b']);
    });
  });

  it('if a batch of a single job is added twice, the job is added once; a single job with a delay is delayed', async () => {
    const queue = openTestQueue(getQueues());
    const producer = getQueues().createProducer(queue.contract);
    const addSingleJob = async (key: string, options: object = {}) =>
      producer.addAll([{ name: 'note', payload: { key }, ...options }]);
    expect(await addSingleJob('a')).toEqual(['note.a']);
    expect(await addSingleJob('a')).toEqual(['note.a']);
    expect(await addSingleJob('b', { delayMs: 60_000 })).toEqual(['note.b']);
    expect(await queue.countJobs()).toMatchObject({ waiting: 1, delayed: 1 });
  });

  it('a job that was added with a delay runs after the delay', async () => {
    const queue = openTestQueue(getQueues());
    const recorded = createRecorder();
    queue.startConsumer(recorded);
    const producer = getQueues().createProducer(queue.contract);
    await producer.add('note', { key: 'much later' }, { delayMs: LONG_MS });
    await producer.add('note', { key: 'soon' }, { delayMs: 20 });
    await waitUntilCheckPasses(async () => {
      expect(await queue.countJobs()).toMatchObject({ delayed: 1, completed: 1 });
    });
    expect(recorded.runs.map(({ key }) => key)).toEqual(['soon']);
  });

  it('a queue runs each of 200 jobs that are added concurrently exactly once', async () => {
    const queue = openTestQueue(getQueues());
    const recorded = createRecorder();
    queue.startConsumer(recorded, 20);
    const keys = Array.from({ length: 200 }, (_, index) => `k${index}`);
    await Promise.all(keys.map((key) => queue.addNote(key)));
    await waitUntilCheckPasses(async () => {
      expect((await queue.countJobs()).completed).toBe(200);
    });
    expect(recorded.runs.map(({ key }) => key).sort()).toEqual(keys.sort());
  });

  it('in payloads and in the errors of handlers, a queue replaces characters that PostgreSQL cannot store', async () => {
    const queue = openTestQueue(getQueues());
    const recorded = createRecorder(() => {
      throw new Error('bad \0 and \uD800');
    });
    queue.startConsumer(recorded);
    await queue.addNote('a\0b', 'high \uD83D alone, low \uDE00 alone, 😀 whole');
    await waitUntilCheckPasses(() => {
      expect(recorded.failures).toHaveLength(1);
    });
    expect(recorded.runs[0]?.payload).toEqual({
      key: 'a\uFFFDb',
      text: 'high \uFFFD alone, low \uFFFD alone, 😀 whole',
    });
    await waitUntilCheckPasses(async () => {
      expect((await queue.countJobs()).failed).toBe(1);
    });
  });

  it('a consumer ignores payload fields that only a newer version of the producer defines', async () => {
    const queue = openTestQueue(getQueues());
    await getQueues()
      .createProducer(createContractOfOtherVersion(queue.contract))
      .add('note', { key: 'a', colour: 'red' });
    const recorded = createRecorder();
    queue.startConsumer(recorded);
    await waitUntilCheckPasses(() => {
      expect(recorded.runs.map(({ payload }) => payload)).toEqual([{ key: 'a' }]);
    });
  });
}
