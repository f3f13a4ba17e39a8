import { expect } from 'vitest';

/**
 * Polls a value until an expectation on it holds, such as `await expectEventually(read).toBe(1)`. The timeout is long
 * enough for a busy machine.
 */
export function expectEventually<T>(read: () => T): ReturnType<typeof expect.poll<T>> {
  return expect.poll(read, { timeout: 10_000 });
}
