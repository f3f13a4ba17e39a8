import { describe, expect, it } from 'vitest';
import { forEachConcurrently } from './for-each-concurrently.js';

describe('forEachConcurrently', () => {
  it('forEachConcurrently calls the action once for each item, with at most `limit` calls in progress', async () => {
    let running = 0;
    let highest = 0;
    const done: number[] = [];
    await forEachConcurrently(3, [1, 2, 3, 4, 5, 6, 7], async (item) => {
      running += 1;
      highest = Math.max(highest, running);
      await new Promise(setImmediate);
      done.push(item);
      running -= 1;
    });
    expect(done.toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(highest).toBe(3);
  });

  it('forEachConcurrently starts no call after a call has failed, and rejects with the error of that call', async () => {
    const started: number[] = [];
    const failing = forEachConcurrently(2, [1, 2, 3, 4, 5, 6], async (item) => {
      started.push(item);
      await new Promise(setImmediate);
      if (item === 2) throw new Error('the second item fails');
    });
    await expect(failing).rejects.toThrow('the second item fails');
    expect(started.length).toBeLessThan(6);
  });
});
