import { expect, vi } from 'vitest';

/** Waits until `look` returns `expected`, with a generous time limit for slow machines. */
export const eventually = <T>(look: () => T, expected: T): Promise<void> =>
  vi.waitFor(
    () => {
      expect(look()).toEqual(expected);
    },
    { timeout: 20_000 },
  );
