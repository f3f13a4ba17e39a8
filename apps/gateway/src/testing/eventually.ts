import { expect } from 'vitest';

/** What becomes true some time soon, also on a machine that is busy. */
export function eventually<T>(look: () => T): ReturnType<typeof expect.poll<T>> {
  return expect.poll(look, { timeout: 10_000 });
}
