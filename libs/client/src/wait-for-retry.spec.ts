import { describe, expect, it } from 'vitest';
import { waitForDelay } from './wait-for-retry.js';

describe('waitForDelay', () => {
  it.each([[new Error('enough')], ['stop'], [undefined]])(
    'if the signal aborts with the reason %j, waitForDelay rejects with the reason of the signal',
    async (reason) => {
      const abort = new AbortController();
      const waiting = waitForDelay(60_000, abort.signal);
      abort.abort(reason);
      await expect(waiting).rejects.toBe(abort.signal.reason);
    },
  );
});
