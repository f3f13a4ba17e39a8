import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { rejectOnAbort } from './index.js';

const createPendingPromise = (): Promise<never> => new Promise(() => undefined);

describe('rejectOnAbort', () => {
  it('without an abort, rejectOnAbort settles with the result or the error of the work, and removes its listener from the signal', async () => {
    const { signal } = new AbortController();
    await expect(rejectOnAbort(Promise.resolve(1), signal)).resolves.toBe(1);
    await expect(rejectOnAbort(Promise.reject(new Error('the work failed')), signal)).rejects.toThrow(
      'the work failed',
    );
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('rejectOnAbort throws the abort reason as soon as the signal aborts, without waiting for the work', async () => {
    const controller = new AbortController();
    const reason = new Error('too late');
    const waiting = rejectOnAbort(createPendingPromise(), controller.signal);
    controller.abort(reason);
    await expect(waiting).rejects.toBe(reason);
  });

  it('if the signal is already aborted, rejectOnAbort throws the abort reason, even if the work has already settled', async () => {
    const reason = new Error('too late');
    await expect(rejectOnAbort(Promise.resolve(1), AbortSignal.abort(reason))).rejects.toBe(reason);
    await expect(rejectOnAbort(Promise.reject(new Error('failed')), AbortSignal.abort(reason))).rejects.toBe(reason);
  });

  it('rejectOnAbort throws an error with the abort reason as its cause if the reason is not an error', async () => {
    await expect(rejectOnAbort(createPendingPromise(), AbortSignal.abort('enough'))).rejects.toMatchObject({
      cause: 'enough',
    });
  });
});
