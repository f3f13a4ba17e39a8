import { describe, expect, it } from 'vitest';
import { JOB_CLASSES, type JobClass } from './outbox.js';
import { FairJobSelection, type SavedSelection } from './fair-job-selection.js';
import type { LaneOfClass } from './waiting-jobs.js';

const AGEING_MS = 10_000;

function buildLane(organizationId: string, jobClass: JobClass, ids: readonly number[], waitedMs = 0): LaneOfClass {
  return {
    organizationId,
    class: JOB_CLASSES.indexOf(jobClass),
    waitedMs,
    jobs: ids.map((id) => ({ id, cost: 1 })),
    concurrentJobs: null,
    weight: 1,
    isComplete: true,
  };
}

function selectJobIds(lanes: readonly LaneOfClass[], free: number, limit = Infinity): readonly number[] {
  return new FairJobSelection().selectJobs(lanes, { free, countFreePlaces: () => limit });
}

describe('the selection of waiting jobs', () => {
  it('FairJobSelection selects the jobs of the most urgent class first, whichever organization they belong to', () => {
    const lanes = [buildLane('a', 'bulk', [1, 2]), buildLane('a', 'sync', [3]), buildLane('b', 'interactive', [4, 5])];
    expect(selectJobIds(lanes, 4)).toEqual([4, 5, 3, 1]);
  });

  it('FairJobSelection treats a job as one class more urgent for every ten seconds that it waits, so that urgent jobs cannot block other jobs forever', () => {
    const urgent = buildLane('a', 'interactive', [1, 2, 3, 4]);
    expect(selectJobIds([urgent, buildLane('b', 'bulk', [9], AGEING_MS)], 2)).toEqual([1, 2]);
    expect(selectJobIds([urgent, buildLane('b', 'bulk', [9], 2 * AGEING_MS)], 2)).toContain(9);
  });

  it('FairJobSelection alternates between urgent jobs and long-waiting jobs of one organization, even if only one place becomes free at a time', () => {
    const selection = new FairJobSelection();
    const levels = [];
    for (let round = 0; round < 6; round += 1) {
      const lanes = [buildLane('a', 'interactive', [round]), buildLane('a', 'bulk', [100 + round], 2 * AGEING_MS)];
      const [id = 0] = selection.selectJobs(lanes, { free: 1, countFreePlaces: () => Infinity });
      levels.push(id < 100 ? 'interactive' : 'bulk');
    }
    expect(levels.filter((level) => level === 'bulk')).toHaveLength(3);
  });

  it('a FairJobSelection that is restored from its saved state continues the turns of organizations and of their classes', () => {
    const select = (saved: SavedSelection | undefined): [SavedSelection, readonly number[]] => {
      const selection = new FairJobSelection(saved);
      const lanes = [
        buildLane('a', 'interactive', [1, 2]),
        buildLane('a', 'bulk', [11, 12], 2 * AGEING_MS),
        buildLane('b', 'sync', [21], AGEING_MS),
      ];
      const ids = selection.selectJobs(lanes, { free: 1, countFreePlaces: () => Infinity });
      return [selection.exportTurns(), ids];
    };
    const [first, ofFirst] = select(undefined);
    const [second, ofSecond] = select(first);
    const [, ofThird] = select(second);
    expect([...ofFirst, ...ofSecond, ...ofThird].toSorted((a, b) => a - b)).toEqual([1, 11, 21]);
  });

  it('FairJobSelection alternates between two organizations, and within one organization between its job classes', () => {
    const selection = new FairJobSelection();
    const selected: number[] = [];
    for (let round = 0; round < 8; round += 1) {
      const lanes = [
        buildLane('a', 'interactive', [round]),
        buildLane('a', 'bulk', [100 + round], 2 * AGEING_MS),
        buildLane('b', 'interactive', [200 + round]),
      ];
      selected.push(...selection.selectJobs(lanes, { free: 1, countFreePlaces: () => Infinity }));
    }
    const countFrom = (start: number): number => selected.filter((id) => id >= start && id < start + 100).length;
    expect([countFrom(0), countFrom(100), countFrom(200)]).toEqual([2, 2, 4]);
  });

  it('FairJobSelection selects at most as many jobs of an organization as the organization may add to the queue', () => {
    const lanes = [buildLane('a', 'sync', [1, 2, 3]), buildLane('a', 'bulk', [4]), buildLane('b', 'bulk', [5, 6])];
    expect(selectJobIds(lanes, 6, 2)).toEqual([1, 2, 5, 6]);
    expect(selectJobIds(lanes, 6, 0)).toEqual([]);
    expect(selectJobIds(lanes, 6, -1)).toEqual([]);
  });

  it('FairJobSelection selects at most as many jobs as the queue has free places', () => {
    expect(selectJobIds([buildLane('a', 'sync', [1, 2]), buildLane('b', 'sync', [3])], 0)).toEqual([]);
    expect(selectJobIds([buildLane('a', 'sync', [1, 2]), buildLane('b', 'sync', [3])], 2)).toHaveLength(2);
  });
});
