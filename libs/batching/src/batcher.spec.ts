import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Batcher, type Admission } from './batcher.js';

const createBatcher = <W>(commit: (writes: readonly W[]) => Promise<void>, newBatch: () => Admission<W>): Batcher<W> =>
  new Batcher({ commit, createAdmission: newBatch, lingerMs: 40 });

/** Resolves after many microtasks have run, but before any timer fires. */
async function letMicrotasksRun(): Promise<void> {
  for (let turns = 0; turns < 100; turns += 1) await Promise.resolve();
}

// The clock is stopped, so the time in which batches linger after concurrent writes does not end on a slow machine.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

describe('Batcher', () => {
  it('a batcher commits all writes that were added during a commit together, in the next commit', async () => {
    const commits: (readonly number[])[] = [];
    const first = Promise.withResolvers<undefined>();
    const queue = createBatcher<number>(
      async (batch) => {
        commits.push(batch);
        if (batch.includes(0)) await first.promise;
      },
      () => () => true,
    );
    const writes = [queue.addWrite(0)];
    await Promise.resolve();
    for (let at = 1; at <= 1_000; at += 1) writes.push(queue.addWrite(at));
    first.resolve(undefined);
    await Promise.all(writes);
    expect(commits).toEqual([[0], Array.from({ length: 1_000 }, (_, at) => at + 1)]);
  });

  it('a batcher keeps the order of writes if the admission function separates them into several commits', async () => {
    const commits: (readonly string[])[] = [];
    const queue = createBatcher<string>(
      (batch) => Promise.resolve(void commits.push(batch)),
      () => {
        let kind: string | undefined;
        return (next) => (kind ??= next.charAt(0)) === next.charAt(0);
      },
    );
    await Promise.all(['a1', 'a2', 'b1', 'a3', 'a4'].map((write) => queue.addWrite(write)));
    expect(commits).toEqual([['a1', 'a2'], ['b1'], ['a3', 'a4']]);
  });

  it('a batcher rejects every write of a failed commit, and continues with the next commit', async () => {
    const queue = createBatcher<string>(
      (batch) => (batch.includes('bad') ? Promise.reject(new Error('disk full')) : Promise.resolve()),
      () => (next) => next !== 'alone',
    );
    const results = await Promise.allSettled(['good', 'bad', 'alone'].map((write) => queue.addWrite(write)));
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
  });

  it('waitUntilIdle() resolves when all writes are committed, and the batcher accepts writes afterwards', async () => {
    let committed = 0;
    const queue = createBatcher<number>(
      (batch) => Promise.resolve(void (committed += batch.length)),
      () => () => false,
    );
    void queue.addWrite(1);
    void queue.addWrite(2);
    await queue.waitUntilIdle();
    expect(committed).toBe(2);
    await queue.addWrite(3);
    expect(committed).toBe(3);
  });

  it('a batcher waits for further writes after a commit of several writes, but not if every commit so far had one write', async () => {
    const commits: (readonly string[])[] = [];
    const queue = createBatcher<string>(
      (batch) => Promise.resolve(void commits.push(batch)),
      () => () => true,
    );
    await queue.addWrite('alone 1');
    const second = queue.addWrite('alone 2');
    await Promise.all([second, second.then(() => queue.addWrite('alone 3'))]);
    const one = queue.addWrite('one').then(() => queue.addWrite('one again'));
    const other = queue.addWrite('other').then(async () => {
      await letMicrotasksRun();
      await queue.addWrite('other again');
    });
    await Promise.all([one, other]);
    expect(commits).toEqual([['alone 1'], ['alone 2'], ['alone 3'], ['one', 'other'], ['one again', 'other again']]);
  });

  it('a batcher that waits for further writes commits as soon as `enoughWrites` writes are waiting', async () => {
    const commits: (readonly string[])[] = [];
    const queue = new Batcher<string>({
      commit: (batch) => Promise.resolve(void commits.push(batch)),
      createAdmission: () => () => true,
      lingerMs: 3_600_000,
      enoughWrites: 3,
    });
    await Promise.all([queue.addWrite('a'), queue.addWrite('b')]);
    for (const write of ['c', 'd']) void queue.addWrite(write);
    await letMicrotasksRun();
    expect(commits).toEqual([['a', 'b']]);
    void queue.addWrite('e');
    await letMicrotasksRun();
    expect(commits).toEqual([
      ['a', 'b'],
      ['c', 'd', 'e'],
    ]);
  });

  it('a batcher still waits for further writes if the last commit had a single write, but an earlier commit had several writes', async () => {
    const commits: (readonly string[])[] = [];
    const queue = createBatcher<string>(
      (batch) => Promise.resolve(void commits.push(batch)),
      () => () => true,
    );
    await Promise.all([queue.addWrite('one'), queue.addWrite('other')]);
    await queue.addWrite('one again');
    const third = queue.addWrite('one, a third time');
    await letMicrotasksRun();
    await Promise.all([third, queue.addWrite('other again')]);
    expect(commits).toEqual([['one', 'other'], ['one again'], ['one, a third time', 'other again']]);
  });
});
