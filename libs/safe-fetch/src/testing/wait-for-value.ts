import { expect, vi } from 'vitest';

/** Waits until `read` returns `expected`, with a generous time limit for slow machines. */
export const waitForValue = <T>(read: () => T, expected: T): Promise<void> =>
  vi.waitFor(
    () => {
      expect(read()).toEqual(expected);
    },
    { timeout: 20_000 },
  );
