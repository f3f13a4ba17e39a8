import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Pacing } from '../../pacing.js';
import type { Queues } from '../../queues.js';
import { waitUntilCheckPasses } from './test-queue.js';

const HOUR_MS = 3_600_000;
/** Tolerance in milliseconds when tests compare waiting times. It is much longer than any test. */
const TOLERANCE_MS = 600_000;

/** Asserts the guarantees of `Pacing`. @param openAnother opens the same queues again, as another process does */
export function describePacing(getQueues: () => Queues, openAnother: () => Promise<Queues>): void {
  describe('acquiring turns to send a request', () => {
    const getPacing = (): Pacing => getQueues().pacing;
    const expectHoursLeft = (ms: number, hours = 1): void => {
      expect(ms).toBeGreaterThan(hours * HOUR_MS - TOLERANCE_MS);
      expect(ms).toBeLessThanOrEqual(hours * HOUR_MS);
    };

    it('if many callers in several processes request a turn of one key at the same time, only one acquires the turn', async () => {
      const key = randomUUID();
      const another = await openAnother();
      const asked = [getPacing(), another.pacing].flatMap((each) =>
        Array.from({ length: 20 }, async () => each.acquireTurn(key, HOUR_MS)),
      );
      const answers = await Promise.all(asked);
      await another.close(0);
      expect(answers.filter((ms) => ms === 0)).toHaveLength(1);
      for (const ms of answers.filter((left) => left !== 0)) expectHoursLeft(ms);
    });

    it('after the gap of a turn has passed, another caller can acquire the next turn of the key', async () => {
      const key = randomUUID();
      expect(await getPacing().acquireTurn(key, 50)).toBe(0);
      await waitUntilCheckPasses(async () => {
        expect(await getPacing().acquireTurn(key, HOUR_MS)).toBe(0);
      });
      expectHoursLeft(await getPacing().acquireTurn(key, 50));
    });

    it('an acquired turn of one key does not delay the turns of other keys', async () => {
      const [one, other] = [randomUUID(), randomUUID()];
      expect([await getPacing().acquireTurn(one, HOUR_MS), await getPacing().acquireTurn(other, HOUR_MS)]).toEqual([
        0, 0,
      ]);
    });

    it('if the last turn of a key had no gap, the next turn can be acquired at once, unless the key is blocked', async () => {
      const key = randomUUID();
      expect([await getPacing().acquireTurn(key, 0), await getPacing().acquireTurn(key, 0)]).toEqual([0, 0]);
      await getPacing().blockKey(key, HOUR_MS);
      expectHoursLeft(await getPacing().acquireTurn(key, 0));
    });

    it('a key that is blocked repeatedly stays blocked until the latest requested time', async () => {
      const key = randomUUID();
      await getPacing().blockKey(key, HOUR_MS);
      await getPacing().blockKey(key, 1);
      await getPacing().blockKey(key, 0);
      expectHoursLeft(await getPacing().acquireTurn(key, 1));
      await getPacing().blockKey(key, 2 * HOUR_MS);
      expectHoursLeft(await getPacing().acquireTurn(key, 1), 2);
    });

    it('an acquired turn and a block of a key stay in effect after their process has ended', async () => {
      const [acquiredKey, blockedKey] = [randomUUID(), randomUUID()];
      const another = await openAnother();
      await another.pacing.acquireTurn(acquiredKey, HOUR_MS);
      await another.pacing.blockKey(blockedKey, HOUR_MS);
      await another.close(0);
      expectHoursLeft(await getPacing().acquireTurn(acquiredKey, 1));
      expectHoursLeft(await getPacing().acquireTurn(blockedKey, 1));
    });
  });
}
