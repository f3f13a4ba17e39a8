import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addFailedAttempt,
  DISABLE_AFTER_MS,
  HEALTHY,
  MIN_FAILURES_TO_DISABLE,
  shouldDisableWebhook,
  type ReceiverState,
} from './receiver-state.js';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const HOUR_MS = 3_600_000;
const CHANCE = 0.5;
const addMs = (ms: number): Date => new Date(NOW.getTime() + ms);

/** Records a number of failures, each at the end of the pause after the previous failure. */
function failRepeatedly(count: number): ReceiverState {
  let state = HEALTHY;
  let previousAt: Date | undefined;
  for (let failure = 0; failure < count; failure += 1) {
    const now = state.pausedUntil ?? NOW;
    state = addFailedAttempt(state, { now, previousAt, chance: CHANCE });
    previousAt = now;
  }
  return state;
}

describe('the back-off of a receiver', () => {
  it('a receiver is paused for 5 seconds after the first failure, and twice as long after each further failure', () => {
    const pauses = [1, 2, 3, 4].map((count) => (failRepeatedly(count).pausedUntil?.getTime() ?? 0) - NOW.getTime());
    expect(pauses).toEqual([5_000, 15_000, 35_000, 75_000]);
    expect(failRepeatedly(4)).toMatchObject({ failingSince: NOW, failures: 4 });
  });

  it('a receiver is never paused for longer than an hour', () => {
    fc.assert(
      fc.property(fc.nat(2_000), fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (failures, chance) => {
        const state = addFailedAttempt({ ...HEALTHY, failures }, { now: NOW, previousAt: NOW, chance });
        expect(state.pausedUntil?.getTime()).toBeLessThanOrEqual(NOW.getTime() + HOUR_MS);
        expect(state.pausedUntil?.getTime()).toBeGreaterThan(NOW.getTime());
      }),
    );
  });

  it('failures of concurrent attempts do not extend a pause', () => {
    const first = addFailedAttempt(HEALTHY, { now: NOW, previousAt: undefined, chance: CHANCE });
    const second = addFailedAttempt(first, { now: addMs(1), previousAt: NOW, chance: CHANCE });
    expect(second).toEqual({ ...first, failures: 2 });
  });

  it('if a receiver fails after a day without an attempt, it is paused for 5 seconds again, and the time of its first failure stays unchanged', () => {
    const state = failRepeatedly(20);
    const now = addMs(40 * 24 * HOUR_MS);
    const later = addFailedAttempt(state, { now, previousAt: addMs(HOUR_MS), chance: CHANCE });
    expect(later).toEqual({ failingSince: NOW, failures: 1, pausedUntil: new Date(now.getTime() + 5_000) });
  });

  it('a webhook is disabled if it has failed for at least five days and at least ten times', () => {
    const failing = { ...HEALTHY, failingSince: NOW, failures: MIN_FAILURES_TO_DISABLE };
    expect(shouldDisableWebhook(failing, addMs(DISABLE_AFTER_MS))).toBe(true);
    expect(shouldDisableWebhook(failing, addMs(DISABLE_AFTER_MS - 1))).toBe(false);
    expect(shouldDisableWebhook({ ...failing, failures: 9 }, addMs(DISABLE_AFTER_MS))).toBe(false);
    expect(shouldDisableWebhook(HEALTHY, addMs(DISABLE_AFTER_MS))).toBe(false);
  });
});
