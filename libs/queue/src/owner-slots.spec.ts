import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Admission, OwnerSlots } from './owner-slots.js';

const OWNER_SHARE = { field: 'owner', max: 0.5, slowAfterMs: 5_000 };

/** Returns a function that requests a slot for a job of an owner. */
function createSlotRequester(concurrency: number): (owner: string, ageMs?: number) => Admission {
  const slots = new OwnerSlots({ ownerShare: OWNER_SHARE }, concurrency);
  return (owner, ageMs = 0) => slots.admitOrPostpone({ data: { owner } }, ageMs);
}

describe('OwnerSlots', () => {
  it('OwnerSlots admits jobs of an owner up to the owner’s share of the slots, and one more when one of these jobs ends', () => {
    const admitJob = createSlotRequester(4);
    const [first] = [admitJob('one'), admitJob('one')];
    expect(admitJob('one').kind).toBe('postponed');
    expect(admitJob('another').kind).toBe('admitted');
    if (first.kind === 'admitted') first.release();
    expect(admitJob('one').kind).toBe('admitted');
  });

  it('OwnerSlots admits at least one job of each owner, whatever the concurrency is', () => {
    const admit = createSlotRequester(1);
    expect([admit('one').kind, admit('one').kind, admit('another').kind]).toEqual([
      'admitted',
      'postponed',
      'admitted',
    ]);
  });

  it('OwnerSlots postpones a job for longer if the job is older, but for at most 10 seconds', () => {
    const admit = createSlotRequester(1);
    admit('one');
    const delays = [0, 20_000, 3_600_000].map((ageMs) => admit('one', ageMs));
    expect(delays).toMatchObject([{ delayMs: 500 }, { delayMs: 2_000 }, { delayMs: 10_000 }]);
  });

  it.each([
    ['of a queue without an owner share', {}, { owner: 'one' }],
    ['whose payload contains no owner', { ownerShare: OWNER_SHARE }, {}],
    ['with an unreadable payload', { ownerShare: OWNER_SHARE }, null],
  ])('OwnerSlots admits all jobs %s', (_, contract, data) => {
    const slots = new OwnerSlots(contract, 1);
    expect([slots.admitOrPostpone({ data }, 0).kind, slots.admitOrPostpone({ data }, 0).kind]).toEqual([
      'admitted',
      'admitted',
    ]);
  });

  const QUICK_MS = 100;
  const HANGING_MS = 15_000;
  const CONCURRENCY = 4;
  const MAX_PER_OWNER = 3;
  const SHARE = { ownerShare: { ...OWNER_SHARE, max: 0.75 } };

  /** Describes a job that returns to the queue after each run. */
  interface EndlessJob {
    readonly id: string;
    readonly owner: string;
    readonly durationMs: number;
  }

  /**
   * Runs jobs on a consumer with simulated time.
   *
   * @returns the starts of jobs in order, with their owners and waiting times
   */
  function simulateQueue(
    jobs: readonly EndlessJob[],
    untilMs: number,
  ): readonly { owner: string; at: number; wait: number }[] {
    let now = 0;
    const slots = new OwnerSlots(SHARE, CONCURRENCY, () => now);
    const waiting = jobs.map((job) => ({ job, from: 0, dueAt: 0 }));
    const running: { readonly endsAt: number; readonly end: () => void }[] = [];
    const starts: { owner: string; at: number; wait: number }[] = [];
    for (; now < untilMs; now += QUICK_MS) {
      for (const each of running.filter(({ endsAt }) => endsAt <= now)) {
        running.splice(running.indexOf(each), 1);
        each.end();
      }
      for (const entry of waiting.filter(({ dueAt }) => dueAt <= now).toSorted((a, b) => a.dueAt - b.dueAt)) {
        if (running.length === CONCURRENCY) break;
        const { id, owner, durationMs } = entry.job;
        const admission = slots.admitOrPostpone({ id, data: { owner } }, now - entry.from);
        if (admission.kind === 'postponed') entry.dueAt = now + admission.delayMs;
        else {
          starts.push({ owner, at: now, wait: now - entry.from });
          waiting.splice(waiting.indexOf(entry), 1);
          const end = (): void => {
            admission.release();
            // A short job returns to the queue after a second, and a hanging job immediately.
            const from = now + (durationMs === QUICK_MS ? 1_000 : 0);
            waiting.push({ job: entry.job, from, dueAt: from });
          };
          running.push({ endsAt: now + durationMs, end });
        }
      }
    }
    return starts;
  }

  function buildHangingJobs(owners: number, jobsPerOwner: (owner: number) => number): readonly EndlessJob[] {
    return Array.from({ length: owners }, (_, owner) =>
      Array.from({ length: jobsPerOwner(owner) }, (__, job) => ({
        ...{ id: `${owner}-${job}`, owner: `slow ${owner}`, durationMs: HANGING_MS },
      })),
    ).flat();
  }

  it('OwnerSlots keeps slots for owners of short jobs, however many other owners have hanging jobs', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 20 }), (owners, jobs) => {
        const short = { id: 'short', owner: 'short', durationMs: QUICK_MS };
        const starts = simulateQueue([...buildHangingJobs(owners, () => jobs), short], 400_000);
        // The first jobs of an owner start together, because none of them is slow yet.
        const firstJobs = owners * Math.min(jobs, MAX_PER_OWNER);
        const afterFirstJobs = (firstJobs / CONCURRENCY + 2) * HANGING_MS;
        const late = starts.filter(({ owner, at }) => owner === 'short' && at > afterFirstJobs);
        expect(late.length).toBeGreaterThan(100);
        expect(Math.max(...late.map(({ wait }) => wait))).toBeLessThanOrEqual(QUICK_MS);
      }),
      { numRuns: 25 },
    );
  });

  it('OwnerSlots divides the slots for slow jobs equally among the slow owners, however many jobs each owner has', () => {
    const starts = simulateQueue(
      buildHangingJobs(5, (owner) => (owner === 0 ? 1 : 10 * owner)),
      3_600_000,
    );
    const counts = Map.groupBy(starts, ({ owner }) => owner);
    const sizes = [...counts.values()].map((each) => each.length);
    expect(sizes).toHaveLength(5);
    expect(Math.min(...sizes) / Math.max(...sizes)).toBeGreaterThan(0.8);
  });

  it('OwnerSlots gives an owner of slow jobs its whole share if there is no other owner of slow jobs', () => {
    const starts = simulateQueue(
      buildHangingJobs(1, () => 10),
      600_000,
    );
    expect(starts.length).toBeGreaterThanOrEqual(3 * Math.floor(600_000 / (HANGING_MS + 10_000)));
  });

  it('OwnerSlots does not keep a slot for a postponed job that does not return to request the slot', () => {
    let now = 0;
    const slots = new OwnerSlots(SHARE, 2, () => now);
    const admit = (owner: string): Admission => slots.admitOrPostpone({ id: owner, data: { owner } }, 0);
    for (const owner of ['one', 'other']) {
      const admission = admit(owner);
      now += HANGING_MS;
      if (admission.kind === 'admitted') admission.release();
    }
    const first = admit('other');
    expect([first.kind, admit('one').kind]).toEqual(['admitted', 'postponed']);
    if (first.kind === 'admitted') first.release();
    expect(admit('other').kind).toBe('postponed');
    now += 2_000;
    expect(admit('other').kind).toBe('admitted');
  });
});
