import { expect, it } from 'vitest';
import type { Queues } from '../../queues.js';
import type { QueueServerUnderTest } from './queue-server-under-test.js';
import { createRecorder } from './recorder.js';
import { waitUntilCheckPasses, openTestQueue } from './test-queue.js';

const LONG_MS = 20_000;

/** Asserts the guarantees of `Queues` about the running jobs of a consumer that is closed. */
export function describeClosing(getQueues: () => Queues, getServer: () => QueueServerUnderTest): void {
  it('a consumer that is being closed waits for its running job and starts no other job', async () => {
    const queue = openTestQueue(getQueues());
    const { promise: end, resolve: finish } = Promise.withResolvers<undefined>();
    const recorded = createRecorder(() => end);
    const consumer = queue.startConsumer(recorded);
    await queue.addNote('a');
    await queue.addNote('b');
    await waitUntilCheckPasses(() => {
      expect(recorded.runs).toHaveLength(1);
    });
    const closing = consumer.close(LONG_MS);
    finish(undefined);
    await closing;
    expect(recorded.runs.map(({ key }) => key)).toEqual(['a']);
    expect(await queue.countJobs()).toMatchObject({ waiting: 1, active: 0, completed: 1 });
  });

  it('a job that still runs at the deadline of close() is aborted, and another consumer repeats the job in the same attempt', async () => {
    const queue = openTestQueue(getQueues());
    const first = createRecorder(
      (_, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            reject(new Error('stopped half-way'));
          });
        }),
    );
    const consumer = queue.startConsumer(first);
    await queue.addNote('a');
    await waitUntilCheckPasses(() => {
      expect(first.runs).toHaveLength(1);
    });
    await consumer.close(0);
    expect(first.runs[0]?.job.signal.reason).toMatchObject({ message: expect.stringContaining('must end') as string });
    expect(await queue.countJobs()).toMatchObject({ waiting: 1, active: 0 });

    const second = createRecorder();
    queue.startConsumer(second);
    await waitUntilCheckPasses(() => {
      expect(second.runs.map(({ job }) => [job.attempt, job.starts])).toEqual([[1, 2]]);
    });
  });

  it('if a handler ignores the abort when its consumer is closed, the consumer returns the job to the queue', async () => {
    const queues = await getServer().open();
    const queue = openTestQueue(getQueues());
    const { promise: end, resolve: finish } = Promise.withResolvers<undefined>();
    const unresponsive = createRecorder(() => end);
    queues.startConsumer(queue.contract, unresponsive.handlers, { concurrency: 1 });
    await queue.addNote('a');
    await waitUntilCheckPasses(() => {
      expect(unresponsive.runs).toHaveLength(1);
    });
    await queues.close(0);
    expect(unresponsive.runs[0]?.job.signal.aborted).toBe(true);
    expect(await queue.countJobs()).toMatchObject({ waiting: 1, active: 0 });

    const second = createRecorder();
    queue.startConsumer(second);
    await waitUntilCheckPasses(async () => {
      expect((await queue.countJobs()).completed).toBe(1);
    });
    finish(undefined);
    expect(second.runs.map(({ job }) => [job.attempt, job.starts])).toEqual([[1, 2]]);
  });
}
