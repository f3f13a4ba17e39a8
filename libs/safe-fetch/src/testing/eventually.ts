import { expect, vi } from 'vitest';

/** Waits until `look` sees `expected`, for longer than a slow machine takes. */
export const eventually = <T>(look: () => T, expected: T): Promise<void> =>
  vi.waitFor(
    () => {
      expect(look()).toEqual(expected);
    },
    { timeout: 20_000 },
  );
