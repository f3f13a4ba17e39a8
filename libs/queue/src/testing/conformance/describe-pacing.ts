import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Pacing } from '../../pacing.js';
import type { Queues } from '../../queues.js';
import { eventually } from './test-queue.js';

const HOUR_MS = 3_600_000;
/** Tolerance for the time between a call and the next check, much longer than any test. */
const TOLERANCE_MS = 600_000;

/** @param openAnother opens the queues as another process does */
export function describePacing(getQueues: () => Queues, openAnother: () => Promise<Queues>): void {
  describe('turns', () => {
    const pacing = (): Pacing => getQueues().pacing;
    const expectHoursLeft = (ms: number, hours = 1): void => {
      expect(ms).toBeGreaterThan(hours * HOUR_MS - TOLERANCE_MS);
      expect(ms).toBeLessThanOrEqual(hours * HOUR_MS);
    };

    it('are taken by one of many concurrent callers in several processes', async () => {
      const key = randomUUID();
      const another = await openAnother();
      const asked = [pacing(), another.pacing].flatMap((each) =>
        Array.from({ length: 20 }, async () => each.take(key, HOUR_MS)),
      );
      const answers = await Promise.all(asked);
      await another.close(0);
      expect(answers.filter((ms) => ms === 0)).toHaveLength(1);
      for (const ms of answers.filter((left) => left !== 0)) expectHoursLeft(ms);
    });

    it('can be taken again after the gap, by one caller', async () => {
      const key = randomUUID();
      expect(await pacing().take(key, 50)).toBe(0);
      await eventually(async () => {
        expect(await pacing().take(key, HOUR_MS)).toBe(0);
      });
      expectHoursLeft(await pacing().take(key, 50));
    });

    it('are separate for each key', async () => {
      const [one, other] = [randomUUID(), randomUUID()];
      expect([await pacing().take(one, HOUR_MS), await pacing().take(other, HOUR_MS)]).toEqual([0, 0]);
    });

    it('without a gap are taken at once, unless they are held', async () => {
      const key = randomUUID();
      expect([await pacing().take(key, 0), await pacing().take(key, 0)]).toEqual([0, 0]);
      await pacing().hold(key, HOUR_MS);
      expectHoursLeft(await pacing().take(key, 0));
    });

    it('are held for the longest requested time', async () => {
      const key = randomUUID();
      await pacing().hold(key, HOUR_MS);
      await pacing().hold(key, 1);
      await pacing().hold(key, 0);
      expectHoursLeft(await pacing().take(key, 1));
      await pacing().hold(key, 2 * HOUR_MS);
      expectHoursLeft(await pacing().take(key, 1), 2);
    });

    it('stay taken after the process that took them has ended', async () => {
      const [taken, held] = [randomUUID(), randomUUID()];
      const another = await openAnother();
      await another.pacing.take(taken, HOUR_MS);
      await another.pacing.hold(held, HOUR_MS);
      await another.close(0);
      expectHoursLeft(await pacing().take(taken, 1));
      expectHoursLeft(await pacing().take(held, 1));
    });
  });
}
