import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createWakeSignal } from './outbox.js';

const TIMEOUT_MS = 60_000;

/** Returns true if the promise has already resolved. Does not wait until it resolves. */
async function isResolved(promise: Promise<void>): Promise<boolean> {
  let resolved = false;
  void promise.then(() => (resolved = true));
  await yieldToEventLoop();
  return resolved;
}

describe('the signal that wakes a waiting process', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  it('before its timeout, wait() of a signal resolves only when wake() is called', async () => {
    const signal = createWakeSignal();
    const woken = signal.wait(TIMEOUT_MS);
    expect(await isResolved(woken)).toBe(false);
    signal.wake();
    expect(await isResolved(woken)).toBe(true);
  });

  it('if wake() of a signal is called while no caller waits, the next call of wait() resolves immediately, and the call after that waits', async () => {
    const signal = createWakeSignal();
    signal.wake();
    signal.wake();
    expect(await isResolved(signal.wait(TIMEOUT_MS))).toBe(true);
    const second = signal.wait(TIMEOUT_MS);
    expect(await isResolved(second)).toBe(false);
    signal.wake();
    expect(await isResolved(second)).toBe(true);
  });

  it('if wake() of a signal is not called, wait() resolves exactly after its timeout', async () => {
    const woken = createWakeSignal().wait(TIMEOUT_MS);
    vi.advanceTimersByTime(TIMEOUT_MS - 1);
    expect(await isResolved(woken)).toBe(false);
    vi.advanceTimersByTime(1);
    expect(await isResolved(woken)).toBe(true);
  });

  it('wake() of a signal stops the timer of the call of wait() that it resolves', async () => {
    const signal = createWakeSignal();
    const woken = signal.wait(TIMEOUT_MS);
    expect(vi.getTimerCount()).toBe(1);
    signal.wake();
    await woken;
    expect(vi.getTimerCount()).toBe(0);
  });
});
