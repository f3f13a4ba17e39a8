import { describe, expect, it } from 'vitest';
import { createSignal } from './signal.js';

const LONG_MS = 60_000;

describe('a signal', () => {
  it('wakes who waits', async () => {
    const signal = createSignal();
    const woken = signal.wait(LONG_MS);
    signal.wake();
    await woken;
  });

  it('keeps a wake-up that nobody waited for, once', async () => {
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

  it('wakes by itself after the time it was given', async () => {
    await createSignal().wait(1);
  });
});
