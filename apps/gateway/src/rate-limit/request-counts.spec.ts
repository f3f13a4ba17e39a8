import { hasRedis } from '@quarry/queue-bullmq/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../database/id.js';
import { COUNT_STORES, type OpenCounts } from '../testing/count-stores.js';

describe.each(COUNT_STORES.filter(({ missing }) => !missing))('requests counted in $name', ({ open }) => {
  let opened: OpenCounts;
  beforeAll(async () => {
    opened = await open();
  }, 60_000);
  afterAll(async () => opened.stop());

  it('are counted by key, and for a minute', async () => {
    const [one, other] = [newId(), newId()];
    expect(await opened.counts.add(one, 1)).toMatchObject({ requests: 1 });
    expect(await opened.counts.add(other, 7)).toMatchObject({ requests: 7 });
    const { requests, msLeft } = await opened.counts.add(one, 2);
    expect(requests).toBe(3);
    expect(msLeft).toBeGreaterThan(50_000);
    expect(msLeft).toBeLessThanOrEqual(60_000);
  });

  it('are none lost that come at once', async () => {
    const key = newId();
    const counted = await Promise.all(Array.from({ length: 50 }, async () => opened.counts.add(key, 2)));
    expect(counted.map(({ requests }) => requests).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 50 }, (_, index) => 2 * (index + 1)),
    );
  });
});

it.skipIf(hasRedis())('requests counted in Redis: skipped, redis-server is not on the PATH', () => undefined);
