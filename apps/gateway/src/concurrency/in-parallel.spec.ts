import { describe, expect, it } from 'vitest';
import { inParallel } from './in-parallel.js';

describe('inParallel', () => {
  it('does something with each, and with no more than the limit at once', async () => {
    let running = 0;
    let most = 0;
    const done: number[] = [];
    await inParallel(3, [1, 2, 3, 4, 5, 6, 7], async (one) => {
      running += 1;
      most = Math.max(most, running);
      await new Promise(setImmediate);
      done.push(one);
      running -= 1;
    });
    expect(done.toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(most).toBe(3);
  });

  it('begins nothing after a failure, and throws it when what runs has ended', async () => {
    const begun: number[] = [];
    const failing = inParallel(2, [1, 2, 3, 4, 5, 6], async (one) => {
      begun.push(one);
      await new Promise(setImmediate);
      if (one === 2) throw new Error('two is wrong');
    });
    await expect(failing).rejects.toThrow('two is wrong');
    expect(begun.length).toBeLessThan(6);
  });
});
