import { expect, it } from 'vitest';
import { computeNextAttempt, EVENT_RETRY } from './event-retry.js';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const HOUR_MS = 3_600_000;
/** The random number that selects the middle of the jitter range. */
const CHANCE = 0.5;

it('a webhook event is retried for about a day, at growing intervals', () => {
  const waits = Array.from(
    { length: EVENT_RETRY.attempts - 1 },
    (_, n) => computeNextAttempt(n + 1, NOW, CHANCE).getTime() - NOW.getTime(),
  );
  expect(waits).toEqual(waits.toSorted((a, b) => a - b));
  const hours = waits.reduce((sum, wait) => sum + wait, 0) / HOUR_MS;
  expect(hours).toBeGreaterThan(20);
  expect(hours).toBeLessThan(28);
});
