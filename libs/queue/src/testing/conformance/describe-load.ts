import { TryLater } from '@quarry/contracts';
import { expect, it } from 'vitest';
import type { Queues } from '../../queues.js';
import { createRecorder } from './recorder.js';
import { createSampleQueue } from './sample-queue.js';
import { waitUntilCheckPasses, openTestQueue } from './test-queue.js';

/**
 * Asserts the guarantees of `Queues` about concurrency and about lists of jobs.
 *
 * @param openAnother opens the same queues again, as another process does
 */
export function describeLoad(getQueues: () => Queues, openAnother: () => Promise<Queues>): void {
  it('getCapacity returns the sum of the concurrency of the running consumers of a queue in several processes', async () => {
    const queue = openTestQueue(getQueues());
    const getCapacity = async (): Promise<number> => getQueues().getCapacity(queue.contract);
    expect(await getCapacity()).toBe(0);
    queue.startConsumer(createRecorder(), 3);
    const another = await openAnother();
    another.startConsumer(queue.contract, createRecorder().handlers, { concurrency: 4 });
    await waitUntilCheckPasses(async () => {
      expect(await getCapacity()).toBe(7);
    });
    await another.close(0);
    expect(await getCapacity()).toBe(3);
    expect(await getQueues().getCapacity(openTestQueue(getQueues()).contract)).toBe(0);
  });

  it('listUnfinished returns the running jobs and at most `limit` waiting jobs of a queue, with their payloads', async () => {
    const queue = openTestQueue(getQueues());
    const listKeys = async (limit: number): Promise<readonly string[]> =>
      (await getQueues().listUnfinished(queue.contract, limit)).map(({ payload }) => payload.key).toSorted();
    const { promise: end, resolve: finish } = Promise.withResolvers<undefined>();
    const recorded = createRecorder((call) => (call === 2 ? end : undefined));
    await queue.addNote('a');
    queue.startConsumer(recorded);
    await waitUntilCheckPasses(async () => {
      expect((await queue.countJobs()).completed).toBe(1);
    });
    for (const key of ['b', 'c', 'd', 'e']) await queue.addNote(key);
    await waitUntilCheckPasses(async () => {
      expect((await queue.countJobs()).active).toBe(1);
    });
    expect(await listKeys(10)).toEqual(['b', 'c', 'd', 'e']);
    expect(await listKeys(2)).toHaveLength(3);
    finish(undefined);
  });

  it('a consumer runs jobs of one owner, including retried jobs, only up to `ownerShare`, so that other owners need not wait', async () => {
    const contract = { ...createSampleQueue(), ownerShare: { field: 'text', max: 0.5, slowAfterMs: 60_000 } };
    const queue = openTestQueue(getQueues(), contract);
    const { promise: end, resolve: finish } = Promise.withResolvers<undefined>();
    const running = new Set<string>();
    const returned = new Set<string>();
    let peak = 0;
    const recorded = createRecorder(async (call, { id }) => {
      if (id === 'note.other') return;
      if (call <= 2) {
        returned.add(id);
        throw new TryLater(1, 'the first jobs return to the queue');
      }
      peak = Math.max(peak, running.add(id).size);
      await end;
      running.delete(id);
    });
    for (const key of ['a', 'b', 'c', 'd', 'e', 'f']) await queue.addNote(key, 'slow');
    queue.startConsumer(recorded, 4);
    await waitUntilCheckPasses(() => {
      expect(running.size).toBeGreaterThanOrEqual(2);
    });
    await queue.addNote('other', 'quick');
    await waitUntilCheckPasses(async () => {
      expect((await queue.countJobs()).completed).toBe(1);
    });
    expect(peak).toBe(2);
    finish(undefined);
    await waitUntilCheckPasses(async () => {
      expect((await queue.countJobs()).completed).toBe(7);
    });
    // Postponements of a job do not count as starts.
    for (const { job } of recorded.runs.slice(2)) expect(job.starts).toBe(returned.has(job.id) ? 2 : 1);
  });

  it('a consumer keeps slots for owners of short jobs, however many other owners have slow jobs', async () => {
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
    queue.startConsumer(recorded, 4);
    const countCompleted = async (): Promise<number | undefined> => (await queue.countJobs()).completed;
    for (const owner of owners) await queue.addNote(`${owner}-first`, owner);
    await waitUntilCheckPasses(async () => {
      expect(await countCompleted()).toBe(owners.length);
    });
    for (const owner of owners) await queue.addNote(`${owner}-hanging`, owner);
    await waitUntilCheckPasses(() => {
      expect(running.size).toBe(2);
    });
    await queue.addNote('short', 'another');
    await waitUntilCheckPasses(async () => {
      expect(await countCompleted()).toBe(owners.length + 1);
    });
    expect(peak).toBe(2);
    finish(undefined);
    await waitUntilCheckPasses(async () => {
      expect(await countCompleted()).toBe(2 * owners.length + 1);
    });
  });

  it('listUnfinished returns delayed jobs only if `withDelayed` is true', async () => {
    const queue = openTestQueue(getQueues());
    await queue.addNote('waiting');
    await getQueues().createProducer(queue.contract).add('note', { key: 'delayed' }, { delayMs: 3_600_000 });
    const listJobs = async (withDelayed: boolean): Promise<readonly string[]> => {
      const jobs = await getQueues().listUnfinished(queue.contract, 10, { withDelayed });
      return jobs.map(({ payload }) => payload.key).toSorted();
    };
    expect(await listJobs(false)).toEqual(['waiting']);
    expect(await listJobs(true)).toEqual(['delayed', 'waiting']);
  });

  it('countWaitingBefore counts the jobs that start before a waiting job, and returns undefined for a running job', async () => {
    const queue = openTestQueue(getQueues());
    const ids: string[] = [];
    for (const key of ['a', 'b', 'c', 'd']) ids.push(await queue.addNote(key));
    const countWaiting = async (limit: number): Promise<readonly (number | undefined)[]> =>
      Promise.all(ids.map((id) => getQueues().countWaitingBefore(queue.contract, id, limit)));
    expect(await countWaiting(10)).toEqual([0, 1, 2, 3]);
    expect(await countWaiting(4)).toEqual([0, 1, 2, 3]);
    expect(await countWaiting(3)).toEqual([undefined, undefined, undefined, undefined]);
    const { promise: end, resolve: finish } = Promise.withResolvers<undefined>();
    const recorded = createRecorder(() => end);
    queue.startConsumer(recorded);
    await waitUntilCheckPasses(() => {
      expect(recorded.runs).toHaveLength(1);
    });
    expect(await countWaiting(10)).toEqual([undefined, 0, 1, 2]);
    finish(undefined);
    await waitUntilCheckPasses(() => {
      expect(recorded.runs.map(({ job }) => job.id)).toEqual(ids);
    });
  });
}
