import { describe, expect, it } from 'vitest';
import { RecentChanges } from './recent-changes.js';

const createChange = (id: string, at: number) => ({ id, at, removedFrom: null });

describe('RecentChanges', () => {
  it('listSince returns the latest change of each datasource from one second before the given time onwards', () => {
    const recent = new RecentChanges();
    recent.restart(1_000);
    recent.add(createChange('a', 2_000));
    recent.add(createChange('b', 3_000));
    recent.add(createChange('a', 9_000));
    expect(recent.listSince(5_000)).toEqual([createChange('a', 9_000)]);
    expect(recent.listSince(4_000)).toEqual([createChange('b', 3_000), createChange('a', 9_000)]);
  });

  it('listSince returns the removal of a datasource, even if a late change of the datasource follows the removal', () => {
    const recent = new RecentChanges();
    recent.restart(1_000);
    recent.add({ id: 'a', at: 2_000, removedFrom: 'd' });
    recent.add(createChange('a', 3_000));
    expect(recent.listSince(2_500)).toEqual([{ id: 'a', at: 3_000, removedFrom: 'd' }]);
  });

  it('listSince returns undefined if changes since the given time may be missing, or if there are more than a thousand of them', () => {
    const recent = new RecentChanges();
    expect(recent.listSince(1)).toBeUndefined();
    recent.restart(1_000);
    expect(recent.listSince(999)).toBeUndefined();
    expect(recent.listSince(1_000)).toEqual([]);
    for (let at = 0; at <= 10_000; at += 1) recent.add(createChange(`s${at}`, 10_000 + at * 10));
    expect(recent.listSince(10_001)).toBeUndefined();
    expect(recent.listSince(60_000)).toBeUndefined();
    expect(recent.listSince(105_000)?.length).toBe(601);
  });
});
