import { GiveUp } from '@quarry/contracts';
import { expect, it } from 'vitest';
import type { Queues } from '../../queues.js';
import type { QueueServerUnderTest } from './queue-server-under-test.js';
import { createRecorder } from './recorder.js';
import { waitUntilCheckPasses, openTestQueue } from './test-queue.js';

/** Asserts the guarantees of `Queues` about states of jobs, lost connections, and the retention of finished jobs. */
export function describeKeeping(getQueues: () => Queues, getServer: () => QueueServerUnderTest): void {
  it('the queue server responds to a ping', async () => {
    await expect(getQueues().ping()).resolves.toBeUndefined();
  });

  it('findNextJobTime returns the time at which the next waiting job was added', async () => {
    const queue = openTestQueue(getQueues());
    expect(await getQueues().findNextJobTime(queue.contract)).toBeUndefined();
    const before = Date.now();
    await queue.addNote('first');
    const after = Date.now();
    await waitUntilCheckPasses(() => {
      expect(Date.now()).toBeGreaterThan(after + 10);
    });
    for (let number = 2; number <= 30; number += 1) await queue.addNote(`later ${number}`);
    const since = (await getQueues().findNextJobTime(queue.contract))?.getTime();
    expect(since).toBeGreaterThanOrEqual(before);
    // A server may round its clock to the next millisecond.
    expect(since).toBeLessThanOrEqual(after + 1);
  });

  it('findJobState returns the state of a waiting, delayed, completed or failed job', async () => {
    const queue = openTestQueue(getQueues());
    const id = await queue.addNote('good');
    expect(await getQueues().findJobState(queue.contract, id)).toBe('waiting');
    const bad = await queue.addNote('bad');
    queue.startConsumer(
      createRecorder((_, job) => {
        if (job.id === bad)
          throw new GiveUp<'permanent_failure'>('permanent_failure', 'the test job fails permanently');
      }),
    );
    await waitUntilCheckPasses(async () => {
      expect(await getQueues().findJobState(queue.contract, id)).toBe('completed');
      expect(await getQueues().findJobState(queue.contract, bad)).toBe('failed');
    });
    const later = await getQueues()
      .createProducer(queue.contract)
      .add('note', { key: 'later' }, { delayMs: 3_600_000 });
    expect(await getQueues().findJobState(queue.contract, later)).toBe('delayed');
    expect(await getQueues().findJobState(queue.contract, 'note.never')).toBeUndefined();
  });

  it('queues continue to run jobs after all connections to the server were cut', async () => {
    const queue = openTestQueue(getQueues());
    const recorded = createRecorder();
    queue.startConsumer(recorded);
    await queue.addNote('before');
    await waitUntilCheckPasses(() => {
      expect(recorded.runs).toHaveLength(1);
    });
    await getServer().cutConnections();
    // The first request after a cut can be lost with the connection, so the test repeats it, as a producer does.
    await waitUntilCheckPasses(async () => {
      await queue.addNote('after');
    });
    await waitUntilCheckPasses(() => {
      expect(recorded.runs.map(({ key }) => key)).toContain('after');
    });
  });

  it('a queue removes finished jobs after the retention time', async () => {
    const queue = openTestQueue(getQueues());
    const recorded = createRecorder((_, { id }) => {
      if (id === 'note.bad')
        throw new GiveUp<'permanent_failure'>('permanent_failure', 'the test job fails permanently');
    });
    const consumer = queue.startConsumer(recorded);
    await queue.addNote('good');
    await queue.addNote('bad');
    await waitUntilCheckPasses(async () => {
      expect(await queue.countJobs()).toMatchObject({ completed: 1, failed: 1 });
    });
    await consumer.close(0);
    const shortRetention = openTestQueue(getQueues(), {
      ...queue.contract,
      keepCompletedSeconds: 0,
      keepFailedSeconds: 0,
    });
    shortRetention.startConsumer(createRecorder());
    await waitUntilCheckPasses(async () => {
      expect(await queue.countJobs()).toMatchObject({ completed: 0, failed: 0 });
    });
  });
}
