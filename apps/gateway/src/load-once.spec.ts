import { describe, expect, it } from 'vitest';
import { loadOnce } from './load-once.js';

describe('loadOnce', () => {
  it('the function that loadOnce creates loads the value only once for all calls', async () => {
    let loads = 0;
    const load = loadOnce(async () => Promise.resolve((loads += 1)));
    expect(await Promise.all([load(), load()])).toEqual([1, 1]);
    expect(await load()).toBe(1);
  });

  it('if loading fails, the next call of the function that loadOnce creates loads again', async () => {
    const outcomes = [Promise.reject(new Error('too many open files')), Promise.resolve('loaded')];
    const load = loadOnce(async () => outcomes.shift() ?? Promise.reject(new Error('loaded too often')));
    await expect(load()).rejects.toThrow('too many open files');
    expect(await load()).toBe('loaded');
    expect(await load()).toBe('loaded');
  });
});
