import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { loadWhenReachable } from './load-when-reachable.js';

/** Simulates a server whose first `unanswered` test requests receive no response. */
function createServer(unanswered: number) {
  const requests = { count: 0 };
  const probe = async (): Promise<boolean> => {
    requests.count += 1;
    return Promise.resolve(requests.count > unanswered);
  };
  return { probe, requests };
}

/** Creates a function whose first `failures` calls fail. */
function createLoader(failures: number) {
  const attempts = { count: 0 };
  const load = async (): Promise<string> => {
    attempts.count += 1;
    if (attempts.count <= failures) throw new TypeError('Failed to fetch');
    return Promise.resolve('screen');
  };
  return { load, attempts };
}

describe('loadWhenReachable', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('loadWhenReachable waits while the server does not respond, and loads again when it responds', async () => {
    const { probe, requests } = createServer(30);
    const { load, attempts } = createLoader(1);
    const loaded = loadWhenReachable(load, probe);
    await vi.advanceTimersByTimeAsync(50_000);
    expect(attempts.count).toBe(1);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(await loaded).toBe('screen');
    expect(requests.count).toBe(31);
  });

  it('loadWhenReachable loads again at once if the server responds already when it is first tested', async () => {
    const { load, attempts } = createLoader(1);
    expect(await loadWhenReachable(load, createServer(0).probe)).toBe('screen');
    expect(attempts.count).toBe(2);
  });

  it('loadWhenReachable rejects if two attempts in a row fail although the server responds', async () => {
    const { load, attempts } = createLoader(Infinity);
    await expect(loadWhenReachable(load, createServer(0).probe)).rejects.toThrow('Failed to fetch');
    expect(attempts.count).toBe(2);
  });

  it('an attempt that fails after an outage is repeated once', async () => {
    const { load, attempts } = createLoader(Infinity);
    const loaded = loadWhenReachable(load, createServer(2).probe);
    loaded.catch(() => undefined);
    await vi.advanceTimersByTimeAsync(10_000);
    await expect(loaded).rejects.toThrow('Failed to fetch');
    expect(attempts.count).toBe(3);
  });
});
