import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TermStatistics } from './term-statistics.js';
import { TermStatisticsCache, type StatisticsSource } from './term-statistics-cache.js';

const LIMITS = { bytes: 10_000, checkAfterMs: 5_000, maxAgeMs: 60_000 };

describe('TermStatisticsCache', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  function openCache() {
    const errors: unknown[] = [];
    const cache = new TermStatisticsCache((error) => errors.push(error), LIMITS);
    return { cache, errors };
  }

  /** Creates a source of statistics whose number of fragments can be set. */
  function createSource(fragments: number, terms = 10) {
    const state = { fragments, reads: 0, counts: 0, error: undefined as Error | undefined };
    const frequencies = new Map(Array.from({ length: terms }, (_, index) => [index, 1]));
    const source: StatisticsSource = {
      readStatistics: () => {
        state.reads += 1;
        if (state.error !== undefined) return Promise.reject(state.error);
        const { fragments: all } = state;
        return Promise.resolve(
          all === 0 ? undefined : new TermStatistics({ fragments: all, sampled: Math.min(all, 100), frequencies }),
        );
      },
      countFragments: () => {
        state.counts += 1;
        return Promise.resolve(state.fragments);
      },
    };
    return { source, state };
  }

  it('the cache of term statistics reads the statistics of a scope once for concurrent and later searches', async () => {
    const { cache } = openCache();
    const { source, state } = createSource(50);
    const [one, other] = await Promise.all([cache.getStatistics('a', source), cache.getStatistics('a', source)]);
    expect(one).toBe(other);
    expect(await cache.getStatistics('a', source)).toBe(one);
    expect(state.reads).toBe(1);
  });

  it('the cache of term statistics does not store the statistics of a scope without fragments', async () => {
    const { cache } = openCache();
    const { source, state } = createSource(0);
    expect(await cache.getStatistics('a', source)).toBeUndefined();
    state.fragments = 1;
    expect((await cache.getStatistics('a', source))?.fragments).toBe(1);
  });

  it('if the first attempt to read term statistics fails, the cache reads the statistics again for the next search', async () => {
    const { cache, errors } = openCache();
    const { source, state } = createSource(50);
    state.error = new Error('unavailable');
    await expect(cache.getStatistics('a', source)).rejects.toThrow('unavailable');
    state.error = undefined;
    expect((await cache.getStatistics('a', source))?.fragments).toBe(50);
    expect(errors).toEqual([]);
  });

  it('the cache renews term statistics in the background if the number of fragments doubles, but not if the number changes by 5 %', async () => {
    const { cache } = openCache();
    const { source, state } = createSource(1_000);
    const first = await cache.getStatistics('a', source);
    for (const fragments of [1_000, 1_050, 950]) {
      state.fragments = fragments;
      vi.advanceTimersByTime(5_000);
      expect(await cache.getStatistics('a', source)).toBe(first);
      await cache.waitUntilIdle();
    }
    expect([state.reads, state.counts]).toEqual([1, 3]);
    state.fragments = 2_000;
    vi.advanceTimersByTime(5_000);
    expect(await cache.getStatistics('a', source)).toBe(first);
    await cache.waitUntilIdle();
    expect((await cache.getStatistics('a', source))?.fragments).toBe(2_000);
    expect(state.reads).toBe(2);
  });

  it('the cache renews term statistics after `maxAgeMs` milliseconds, even if the number of fragments is the same', async () => {
    const { cache } = openCache();
    const { source, state } = createSource(1_000);
    await cache.getStatistics('a', source);
    vi.advanceTimersByTime(60_000);
    await cache.getStatistics('a', source);
    await cache.waitUntilIdle();
    expect(state.reads).toBe(2);
  });

  it('the cache evicts the term statistics of a scope after all fragments of the scope were removed', async () => {
    const { cache } = openCache();
    const { source, state } = createSource(10);
    await cache.getStatistics('a', source);
    state.fragments = 0;
    vi.advanceTimersByTime(5_000);
    await cache.getStatistics('a', source);
    await cache.waitUntilIdle();
    expect(await cache.getStatistics('a', source)).toBeUndefined();
  });

  it('if the renewal of term statistics fails, the cache keeps the previous statistics and reports the error', async () => {
    const { cache, errors } = openCache();
    const { source, state } = createSource(10);
    const first = await cache.getStatistics('a', source);
    state.fragments = 100;
    state.error = new Error('unavailable');
    vi.advanceTimersByTime(5_000);
    await cache.getStatistics('a', source);
    await cache.waitUntilIdle();
    expect(errors).toEqual([state.error]);
    expect(await cache.getStatistics('a', source)).toBe(first);
  });

  it('when the cache of term statistics exceeds its memory limit, it evicts the statistics of the least recently searched scopes', async () => {
    const { cache } = openCache();
    const sources = ['a', 'b', 'c'].map((key) => ({ key, ...createSource(10, 500) }));
    for (const { key, source } of sources.slice(0, 2)) await cache.getStatistics(key, source);
    for (const at of [0, 2, 0, 1]) {
      const { key = '', source } = sources[at] ?? {};
      if (source !== undefined) await cache.getStatistics(key, source);
    }
    expect(sources.map(({ state }) => state.reads)).toEqual([1, 2, 1]);
  });
});
