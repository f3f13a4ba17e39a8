import { expect, it } from 'vitest';
import type { Queues } from '../../queues.js';
import { createRecorder } from './recorder.js';
import { waitUntilPassed, openTestQueue } from './test-queue.js';

/** @param openAnother opens the queues as another process does */
export function describeLoad(getQueues: () => Queues, openAnother: () => Promise<Queues>): void {
  it('adds up the concurrency of the running consumers of a queue in several processes', async () => {
    const queue = openTestQueue(getQueues());
    const getCapacity = async (): Promise<number> => getQueues().capacity(queue.contract);
    expect(await getCapacity()).toBe(0);
    queue.consume(createRecorder(), 3);
    const another = await openAnother();
    another.consumer(queue.contract, createRecorder().handlers, { concurrency: 4 });
    await waitUntilPassed(async () => {
      expect(await getCapacity()).toBe(7);
    });
    await another.close(0);
    expect(await getCapacity()).toBe(3);
    expect(await getQueues().capacity(openTestQueue(getQueues()).contract)).toBe(0);
  });

  it('lists running and waiting jobs with their payloads, and no other jobs', async () => {
    const queue = openTestQueue(getQueues());
    const listKeys = async (limit: number): Promise<readonly string[]> =>
      (await getQueues().listUnfinished(queue.contract, limit)).map(({ payload }) => payload.key).toSorted();
    const { promise: end, resolve: finish } = Promise.withResolvers<undefined>();
    const recorded = createRecorder((call) => (call === 2 ? end : undefined));
    await queue.add('a');
    queue.consume(recorded);
    await waitUntilPassed(async () => {
      expect((await queue.depth()).completed).toBe(1);
    });
    for (const key of ['b', 'c', 'd', 'e']) await queue.add(key);
    await waitUntilPassed(async () => {
      expect((await queue.depth()).active).toBe(1);
    });
    expect(await listKeys(10)).toEqual(['b', 'c', 'd', 'e']);
    expect(await listKeys(2)).toHaveLength(3);
    finish(undefined);
  });
}
