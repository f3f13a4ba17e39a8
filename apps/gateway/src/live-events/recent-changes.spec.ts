import { describe, expect, it } from 'vitest';
import { RecentChanges } from './recent-changes.js';

const createChange = (id: string, at: number) => ({ id, at, removedFrom: null });

describe('RecentChanges', () => {
  it('RecentChanges lists the latest change of each datasource since one second before a given time', () => {
    const recent = new RecentChanges();
    recent.restart(1_000);
    recent.add(createChange('a', 2_000));
    recent.add(createChange('b', 3_000));
    recent.add(createChange('a', 9_000));
    expect(recent.listSince(5_000)).toEqual([createChange('a', 9_000)]);
    expect(recent.listSince(4_000)).toEqual([createChange('b', 3_000), createChange('a', 9_000)]);
  });

  it('RecentChanges returns undefined for a time before its start or before an evicted change, and if there are too many changes', () => {
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
