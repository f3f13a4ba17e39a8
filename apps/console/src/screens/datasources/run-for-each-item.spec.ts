import { describe, expect, it } from 'vitest';
import { runForEachItem } from './run-for-each-item.js';

describe('runForEachItem', () => {
  it('runForEachItem calls the function for each item, with a limited number of concurrent calls', async () => {
    const seen: number[] = [];
    let open = 0;
    let most = 0;
    await runForEachItem([1, 2, 3, 4, 5], { limit: 2 }, async (item) => {
      open += 1;
      most = Math.max(most, open);
      await Promise.resolve();
      seen.push(item);
      open -= 1;
    });
    expect(seen).toEqual([1, 2, 3, 4, 5]);
    expect(most).toBe(2);
  });

  it('runForEachItem continues after failures, and returns the failures in the order of the items', async () => {
    const failures = await runForEachItem(['a', 'b', 'c'], { limit: 3 }, async (item) => {
      if (item !== 'b') throw new Error(item);
      return Promise.resolve();
    });
    expect(failures.map(({ item }) => item)).toEqual(['a', 'c']);
  });

  it('after its signal is aborted, runForEachItem starts no further call, and waits for the calls in progress', async () => {
    const stop = new AbortController();
    const ended: number[] = [];
    await runForEachItem([1, 2, 3, 4, 5], { limit: 2, signal: stop.signal }, async (item) => {
      if (item === 3) stop.abort();
      await Promise.resolve();
      ended.push(item);
    });
    expect(ended).toEqual([1, 2, 3]);
  });
});
