import { expect } from 'vitest';

/** Polls a value until its expectation holds. The timeout is long enough for a busy machine. */
export function eventually<T>(read: () => T): ReturnType<typeof expect.poll<T>> {
  return expect.poll(read, { timeout: 10_000 });
}
