import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { loadWhenOnline } from './load-when-online.js';

/** The parts of a browser window that `loadWhenOnline` uses. */
class FakeWindow extends EventTarget {
  readonly navigator: { onLine: boolean };

  constructor(onLine: boolean) {
    super();
    this.navigator = { onLine };
  }

  goOnline(): void {
    this.navigator.onLine = true;
    this.dispatchEvent(new Event('online'));
  }
}

/**
 * Calls `loadWhenOnline` with a function whose first `failures` calls fail. @returns the result, and the number of
 * calls so far
 */
function startLoading(browser: FakeWindow, failures: number) {
  const tries = { count: 0 };
  const load = async (): Promise<string> => {
    tries.count += 1;
    if (tries.count <= failures) throw new TypeError('Failed to fetch');
    return Promise.resolve('screen');
  };
  const loaded = loadWhenOnline(load, browser as unknown as Window); // only these parts are used
  loaded.catch(() => undefined);
  return { loaded, tries };
}

describe('loadWhenOnline', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('loadWhenOnline waits while the browser is offline, and retries when it is online again', async () => {
    const browser = new FakeWindow(false);
    const { loaded, tries } = startLoading(browser, 1);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(tries.count).toBe(1);
    browser.goOnline();
    expect(await loaded).toBe('screen');
  });

  it('loadWhenOnline repeats retries that fail shortly after the browser has come online', async () => {
    const browser = new FakeWindow(false);
    const { loaded } = startLoading(browser, 3);
    await vi.advanceTimersByTimeAsync(0);
    browser.goOnline();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await loaded).toBe('screen');
  });

  it('loadWhenOnline retries if an attempt that started offline fails after the browser has come online', async () => {
    const browser = new FakeWindow(false);
    const { loaded } = startLoading(browser, 1);
    browser.navigator.onLine = true;
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await loaded).toBe('screen');
  });

  it('if every attempt fails, loadWhenOnline rejects at once in an online browser, and after a limited number of retries in a browser that was offline', async () => {
    const online = startLoading(new FakeWindow(true), Infinity);
    await expect(online.loaded).rejects.toThrow('Failed to fetch');
    expect(online.tries.count).toBe(1);
    const browser = new FakeWindow(false);
    const { loaded, tries } = startLoading(browser, Infinity);
    await vi.advanceTimersByTimeAsync(0);
    browser.goOnline();
    await vi.advanceTimersByTimeAsync(60_000);
    await expect(loaded).rejects.toThrow('Failed to fetch');
    expect(tries.count).toBe(7);
  });
});
