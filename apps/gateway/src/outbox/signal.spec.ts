import { describe, expect, it } from 'vitest';
import { createSignal } from './signal.js';

const LONG_MS = 60_000;

describe('a signal', () => {
  it('wakes a waiter', async () => {
    const signal = createSignal();
    const woken = signal.wait(LONG_MS);
    signal.wake();
    await woken;
  });

  it('keeps one wake-up for the next waiter', async () => {
    const signal = createSignal();
    signal.wake();
    signal.wake();
    await signal.wait(LONG_MS);
    let isWoken = false;
    const second = signal.wait(LONG_MS).then(() => (isWoken = true));
    await Promise.resolve();
    expect(isWoken).toBe(false);
    signal.wake();
    await second;
  });

  it('wakes by itself after the timeout', async () => {
    await createSignal().wait(1);
  });
});
