import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../database/id.js';
import { describeRequestCountStores, type OpenCounts } from '../testing/count-stores.js';

describeRequestCountStores('requests counted in', (open) => {
  let opened: OpenCounts;
  beforeAll(async () => {
    opened = await open();
  }, 60_000);
  afterAll(async () => opened.stop());

  it('a store of request counts counts the requests of each key separately, in periods of one minute', async () => {
    const [one, other] = [newId(), newId()];
    expect(await opened.counts.add(one, 1)).toMatchObject({ requests: 1 });
    expect(await opened.counts.add(other, 7)).toMatchObject({ requests: 7 });
    const { requests, msLeft } = await opened.counts.add(one, 2);
    expect(requests).toBe(3);
    expect(msLeft).toBeGreaterThan(50_000);
    expect(msLeft).toBeLessThanOrEqual(60_000);
  });

  it('a store of request counts counts each of several concurrent requests', async () => {
    const key = newId();
    const counted = await Promise.all(Array.from({ length: 50 }, async () => opened.counts.add(key, 2)));
    expect(counted.map(({ requests }) => requests).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 50 }, (_, index) => 2 * (index + 1)),
    );
  });
});
