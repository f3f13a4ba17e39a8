import { describe, expect, it } from 'vitest';
import { FairSelection } from './fair-selection.js';
import { JOB_CLASSES, type JobClass } from './outbox.js';
import { selectJobs } from './select-jobs.js';
import type { LaneOfClass } from './waiting-jobs.js';

const MINUTE_MS = 60_000;

function buildLane(organizationId: string, jobClass: JobClass, ids: readonly number[], waitedMs = 0): LaneOfClass {
  return {
    organizationId,
    class: JOB_CLASSES.indexOf(jobClass),
    waitedMs,
    jobs: ids.map((id) => ({ id, cost: 1 })),
  };
}

function select(lanes: readonly LaneOfClass[], free: number, limit = Infinity): readonly number[] {
  return selectJobs(new FairSelection(), lanes, { free, freeFor: () => limit });
}

describe('the selection of waiting jobs', () => {
  it('starts with the most urgent class of all organizations', () => {
    const lanes = [buildLane('a', 'bulk', [1, 2]), buildLane('a', 'sync', [3]), buildLane('b', 'interactive', [4, 5])];
    expect(select(lanes, 4)).toEqual([4, 5, 3, 1]);
  });

  it('moves a job up by one class per minute of waiting, so that urgent jobs do not block it for ever', () => {
    const urgent = buildLane('a', 'interactive', [1, 2, 3, 4]);
    expect(select([urgent, buildLane('b', 'bulk', [9], MINUTE_MS)], 2)).toEqual([1, 2]);
    expect(select([urgent, buildLane('b', 'bulk', [9], 2 * MINUTE_MS)], 2)).toContain(9);
  });

  it('selects no more jobs of an organization than it may have in the queue', () => {
    const lanes = [buildLane('a', 'sync', [1, 2, 3]), buildLane('a', 'bulk', [4]), buildLane('b', 'bulk', [5, 6])];
    expect(select(lanes, 6, 2)).toEqual([1, 2, 5, 6]);
    expect(select(lanes, 6, 0)).toEqual([]);
    expect(select(lanes, 6, -1)).toEqual([]);
  });

  it('selects at most as many jobs as there are places', () => {
    expect(select([buildLane('a', 'sync', [1, 2]), buildLane('b', 'sync', [3])], 0)).toEqual([]);
    expect(select([buildLane('a', 'sync', [1, 2]), buildLane('b', 'sync', [3])], 2)).toHaveLength(2);
  });
});
