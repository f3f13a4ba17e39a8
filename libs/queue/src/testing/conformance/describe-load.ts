import { TryLater } from '@quarry/contracts';
import { expect, it } from 'vitest';
import type { Queues } from '../../queues.js';
import { createRecorder } from './recorder.js';
import { createSampleQueue } from './sample-queue.js';
import { waitUntilPassed, openTestQueue } from './test-queue.js';

/**
 * Asserts the guarantees about concurrency and the lists of jobs.
 *
 * @param openAnother opens the queues as another process does
 */
export function describeLoad(getQueues: () => Queues, openAnother: () => Promise<Queues>): void {
  it('the capacity of a queue is the sum of the concurrency of its running consumers in several processes', async () => {
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

  it('a queue lists its running and waiting jobs with their payloads, and no other jobs', async () => {
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

  it('a consumer runs jobs of an owner, with retried ones, up to its share, so that jobs of others need not wait', async () => {
    const contract = { ...createSampleQueue(), ownerShare: { field: 'text', max: 0.5, slowAfterMs: 60_000 } };
    const queue = openTestQueue(getQueues(), contract);
    const { promise: end, resolve: finish } = Promise.withResolvers<undefined>();
    const running = new Set<string>();
    let peak = 0;
    const recorded = createRecorder(async (call, { id, starts }) => {
      if (id === 'note.other') return;
      if (starts === 1 && call <= 2) throw new TryLater(1, 'the first jobs return to the queue');
      peak = Math.max(peak, running.add(id).size);
      await end;
      running.delete(id);
    });
    for (const key of ['a', 'b', 'c', 'd', 'e', 'f']) await queue.add(key, 'slow');
    queue.consume(recorded, 4);
    await waitUntilPassed(() => {
      expect(running.size).toBeGreaterThanOrEqual(2);
    });
    await queue.add('other', 'quick');
    await waitUntilPassed(async () => {
      expect((await queue.depth()).completed).toBe(1);
    });
    expect(peak).toBe(2);
    finish(undefined);
    await waitUntilPassed(async () => {
      expect((await queue.depth()).completed).toBe(7);
    });
  });

  it('a consumer keeps places for owners of short jobs, however many owners have slow jobs', async () => {
    const contract = { ...createSampleQueue(), ownerShare: { field: 'text', max: 0.5, slowAfterMs: 0 } };
    const queue = openTestQueue(getQueues(), contract);
    const { promise: end, resolve: finish } = Promise.withResolvers<undefined>();
    const owners = ['a', 'b', 'c', 'd', 'e', 'f'];
    const running = new Set<string>();
    let peak = 0;
    const recorded = createRecorder(async (_call, { id }) => {
      if (!id.endsWith('-hanging')) return;
      peak = Math.max(peak, running.add(id).size);
      await end;
      running.delete(id);
    });
    queue.consume(recorded, 4);
    const countCompleted = async (): Promise<number | undefined> => (await queue.depth()).completed;
    for (const owner of owners) await queue.add(`${owner}-first`, owner);
    await waitUntilPassed(async () => {
      expect(await countCompleted()).toBe(owners.length);
    });
    for (const owner of owners) await queue.add(`${owner}-hanging`, owner);
    await waitUntilPassed(() => {
      expect(running.size).toBe(2);
    });
    await queue.add('short', 'another');
    await waitUntilPassed(async () => {
      expect(await countCompleted()).toBe(owners.length + 1);
    });
    expect(peak).toBe(2);
    finish(undefined);
    await waitUntilPassed(async () => {
      expect(await countCompleted()).toBe(2 * owners.length + 1);
    });
  });

  it('a queue lists delayed jobs only on request', async () => {
    const queue = openTestQueue(getQueues());
    await queue.add('waiting');
    await getQueues().producer(queue.contract).add('note', { key: 'delayed' }, { delayMs: 3_600_000 });
    const listJobs = async (withDelayed: boolean): Promise<readonly string[]> => {
      const jobs = await getQueues().listUnfinished(queue.contract, 10, { withDelayed });
      return jobs.map(({ payload }) => payload.key).toSorted();
    };
    expect(await listJobs(false)).toEqual(['waiting']);
    expect(await listJobs(true)).toEqual(['delayed', 'waiting']);
  });

  it('a queue counts the waiting jobs that start before a given job, and none for a running job', async () => {
    const queue = openTestQueue(getQueues());
    const ids: string[] = [];
    for (const key of ['a', 'b', 'c', 'd']) ids.push(await queue.add(key));
    const countWaiting = async (limit: number): Promise<readonly (number | undefined)[]> =>
      Promise.all(ids.map((id) => getQueues().countWaitingBefore(queue.contract, id, limit)));
    expect(await countWaiting(10)).toEqual([0, 1, 2, 3]);
    expect(await countWaiting(4)).toEqual([0, 1, 2, 3]);
    expect(await countWaiting(3)).toEqual([undefined, undefined, undefined, undefined]);
    const { promise: end, resolve: finish } = Promise.withResolvers<undefined>();
    const recorded = createRecorder(() => end);
    queue.consume(recorded);
    await waitUntilPassed(() => {
      expect(recorded.runs).toHaveLength(1);
    });
    expect(await countWaiting(10)).toEqual([undefined, 0, 1, 2]);
    finish(undefined);
    await waitUntilPassed(() => {
      expect(recorded.runs.map(({ job }) => job.id)).toEqual(ids);
    });
  });
}
