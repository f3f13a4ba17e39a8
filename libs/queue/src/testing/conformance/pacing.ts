import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Pacing } from '../../pacing.js';
import type { Queues } from '../../queues.js';
import { eventually } from './tried-queues.js';

const HOUR_MS = 3_600_000;
/** So much of an hour may be over when a server is asked how much of it is left. */
const SLOW_MS = 600_000;

/** @param openAnother as another process has it */
export function pacedTurns(opened: () => Queues, openAnother: () => Promise<Queues>): void {
  describe('turns', () => {
    const pacing = (): Pacing => opened().pacing;
    const expectHourLeft = (ms: number, hours = 1): void => {
      expect(ms).toBeGreaterThan(hours * HOUR_MS - SLOW_MS);
      expect(ms).toBeLessThanOrEqual(hours * HOUR_MS);
    };

    it('are taken by one of many that ask at once, in several processes', async () => {
      const key = randomUUID();
      const another = await openAnother();
      const asked = [pacing(), another.pacing].flatMap((each) =>
        Array.from({ length: 20 }, async () => each.take(key, HOUR_MS)),
      );
      const answers = await Promise.all(asked);
      await another.close(0);
      expect(answers.filter((ms) => ms === 0)).toHaveLength(1);
      for (const ms of answers.filter((left) => left !== 0)) expectHourLeft(ms);
    });

    it('come when the one before is over, and then are one again', async () => {
      const key = randomUUID();
      expect(await pacing().take(key, 50)).toBe(0);
      await eventually(async () => {
        expect(await pacing().take(key, HOUR_MS)).toBe(0);
      });
      expectHourLeft(await pacing().take(key, 50));
    });

    it('are each key’s own', async () => {
      const [one, other] = [randomUUID(), randomUUID()];
      expect([await pacing().take(one, HOUR_MS), await pacing().take(other, HOUR_MS)]).toEqual([0, 0]);
    });

    it('without a gap between them come at once, unless they are held', async () => {
      const key = randomUUID();
      expect([await pacing().take(key, 0), await pacing().take(key, 0)]).toEqual([0, 0]);
      await pacing().hold(key, HOUR_MS);
      expectHourLeft(await pacing().take(key, 0));
    });

    it('are held for the longest that was asked for', async () => {
      const key = randomUUID();
      await pacing().hold(key, HOUR_MS);
      await pacing().hold(key, 1);
      await pacing().hold(key, 0);
      expectHourLeft(await pacing().take(key, 1));
      await pacing().hold(key, 2 * HOUR_MS);
      expectHourLeft(await pacing().take(key, 1), 2);
    });

    it('stay taken when the process that took them has ended', async () => {
      const [taken, held] = [randomUUID(), randomUUID()];
      const another = await openAnother();
      await another.pacing.take(taken, HOUR_MS);
      await another.pacing.hold(held, HOUR_MS);
      await another.close(0);
      expectHourLeft(await pacing().take(taken, 1));
      expectHourLeft(await pacing().take(held, 1));
    });
  });
}
