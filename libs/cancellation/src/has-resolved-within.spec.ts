import { describe, expect, it } from 'vitest';
import { hasResolvedWithin } from './index.js';

describe('hasResolvedWithin', () => {
  it('hasResolvedWithin returns true if the promise resolves within the time limit, and false if the promise is still pending afterwards', async () => {
    expect(await hasResolvedWithin(Promise.resolve(), 60_000)).toBe(true);
    expect(await hasResolvedWithin(new Promise(() => undefined), 1)).toBe(false);
  });

  it('hasResolvedWithin throws the error of a promise that rejects within the time limit, and ignores a rejection after the limit', async () => {
    await expect(hasResolvedWithin(Promise.reject(new Error('refused')), 60_000)).rejects.toThrow('refused');
    const { promise, reject } = Promise.withResolvers<never>();
    expect(await hasResolvedWithin(promise, 0)).toBe(false);
    reject(new Error('too late'));
    // Node reports an unhandled rejection, which fails the test run, before the next turn of the event loop.
    await new Promise(setImmediate);
  });
});
