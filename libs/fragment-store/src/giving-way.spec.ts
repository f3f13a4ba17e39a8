import { describe, expect, it } from 'vitest';
import { givingWay } from './giving-way.js';

/** Work that leaves the process no time for anything else. */
function work(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

describe('giving way', () => {
  it('gives every item, in order', async () => {
    const items = Array.from({ length: 1_000 }, (_, at) => at);
    const given: number[] = [];
    for await (const item of givingWay(items)) given.push(item);
    expect(given).toEqual(items);
  });

  it('lets others have their turn between items that take long', async () => {
    const seen: (number | string)[] = [];
    setImmediate(() => seen.push('another'));
    for await (const item of givingWay([1, 2])) {
      seen.push(item);
      work(25);
    }
    expect(seen).toEqual([1, 'another', 2]);
  });
});
