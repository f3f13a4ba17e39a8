import { expect, it } from 'vitest';
import { systemClock } from './clock.js';

it('a wait of the system clock ends with the reason of the signal when the signal aborts', async () => {
  const reason = new Error('the run was cancelled');
  const controller = new AbortController();
  const waiting = systemClock.wait(600_000, controller.signal);
  controller.abort(reason);
  await expect(waiting).rejects.toBe(reason);
  await expect(systemClock.wait(600_000, AbortSignal.abort(reason))).rejects.toBe(reason);
});

it('a wait of the system clock resolves after its time, with and without a signal', async () => {
  await expect(systemClock.wait(1)).resolves.toBeUndefined();
  await expect(systemClock.wait(1, new AbortController().signal)).resolves.toBeUndefined();
});
