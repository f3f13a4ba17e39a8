import { QuarryError } from '@quarry/client';
import { describe, expect, it } from 'vitest';
import { retryWhileUnavailable } from './retry-while-unavailable.js';

const createError = (status: number): QuarryError => new QuarryError(status, 'code', 'detail');

/** Returns a function that throws the given errors, one per call, and then succeeds, and counts its calls. */
function failInTurn(...errors: readonly Error[]): { readonly read: () => Promise<void>; calls: number } {
  const counted = {
    calls: 0,
    read: async (): Promise<void> => {
      const error = errors[counted.calls];
      counted.calls += 1;
      await Promise.resolve();
      if (error !== undefined) throw error;
    },
  };
  return counted;
}

describe('retryWhileUnavailable', () => {
  it('retryWhileUnavailable opens a stream again while the server does not respond, is unavailable or limits requests', async () => {
    const stream = failInTurn(new TypeError('fetch failed'), createError(503), createError(429));
    await retryWhileUnavailable(stream.read, new AbortController().signal, 0);
    expect(stream.calls).toBe(4);
  });

  it('retryWhileUnavailable throws an error after which no try can succeed', async () => {
    const stream = failInTurn(createError(404));
    await expect(retryWhileUnavailable(stream.read, new AbortController().signal, 0)).rejects.toThrow(QuarryError);
    expect(stream.calls).toBe(1);
  });

  it('retryWhileUnavailable ends when its signal aborts during the wait', async () => {
    const abort = new AbortController();
    const stream = failInTurn(new TypeError('fetch failed'));
    const retrying = retryWhileUnavailable(stream.read, abort.signal, 20);
    await expect.poll(() => stream.calls).toBe(1);
    await new Promise(setImmediate); // the failure was handled
    abort.abort(new Error('the user left'));
    await expect(retrying).rejects.toThrow('the user left');
    expect(stream.calls).toBe(1);
  });
});
