import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DeficitRoundRobin, type Lane, type SavedTurns } from './deficit-round-robin.js';
import type { WaitingJob } from './waiting-jobs.js';

interface OwnedJob extends WaitingJob {
  readonly owner: string;
}

/** Simulates a backlog that keeps the jobs of each organization in order. */
class Backlog {
  readonly #selection = new DeficitRoundRobin();
  readonly #waiting = new Map<string, OwnedJob[]>();
  readonly #weights: Readonly<Record<string, number>>;
  #nextId = 0;

  /** @param weights the weights of organizations; an organization without an entry has the weight 1 */
  constructor(weights: Readonly<Record<string, number>> = {}) {
    this.#weights = weights;
  }

  addJobs(owner: string, ...costs: readonly number[]): void {
    const jobs = this.#waiting.get(owner) ?? [];
    jobs.push(...costs.map((cost) => ({ id: this.#nextId++, cost, owner })));
    this.#waiting.set(owner, jobs);
  }

  takeJobs(places: number): readonly OwnedJob[] {
    const lanes: Lane<OwnedJob>[] = [...this.#waiting].flatMap(([owner, jobs]) =>
      jobs.length === 0 ? [] : [{ owner, weight: this.#weights[owner] ?? 1, jobs }],
    );
    this.#selection.updateOwners(lanes.map(({ owner }) => owner));
    const selected = this.#selection.selectJobs(lanes, places);
    for (const { owner, id } of selected) {
      const jobs = this.#waiting.get(owner) ?? [];
      this.#waiting.set(
        owner,
        jobs.filter((job) => job.id !== id),
      );
    }
    return selected;
  }

  isEmpty(): boolean {
    return [...this.#waiting.values()].every((jobs) => jobs.length === 0);
  }
}

function sumCosts(jobs: readonly WaitingJob[]): number {
  return jobs.reduce((sum, { cost }) => sum + cost, 0);
}

describe('selecting jobs fairly', () => {
  it('DeficitRoundRobin selects one job of each organization in turn, and continues the turns in the next call of selectJobs', () => {
    const backlog = new Backlog();
    backlog.addJobs('a', 1, 1, 1, 1);
    backlog.addJobs('b', 1, 1, 1, 1);
    backlog.addJobs('c', 1);
    const owners = [3, 1, 2, 9].flatMap((places) => backlog.takeJobs(places).map(({ owner }) => owner));
    expect(owners.slice(0, 3).toSorted()).toEqual(['a', 'b', 'c']);
    expect(owners.slice(3, 5).toSorted()).toEqual(['a', 'b']);
    expect(owners.slice(5, 7).toSorted()).toEqual(['a', 'b']);
    expect(backlog.isEmpty()).toBe(true);
  });

  it('if an organization without waiting jobs adds a job, DeficitRoundRobin selects this job next, even if hundreds of jobs of other organizations wait', () => {
    const backlog = new Backlog();
    for (const owner of ['a', 'b', 'c']) backlog.addJobs(owner, ...Array.from({ length: 100 }, () => 1));
    backlog.takeJobs(7);
    backlog.addJobs('new', 1);
    expect(backlog.takeJobs(1).map(({ owner }) => owner)).toEqual(['new']);
  });

  it('organizations that add their next job after their last one was selected take turns with the others', () => {
    const backlog = new Backlog();
    backlog.addJobs('large', ...Array.from({ length: 1_000 }, () => 1));
    const importers = Array.from({ length: 12 }, (_, index) => `importer${index}`);
    for (const each of importers) backlog.addJobs(each, 1);
    const selected: OwnedJob[] = [];
    for (let round = 0; round < 130; round += 1) {
      const before = selected.at(-1)?.owner;
      selected.push(...backlog.takeJobs(1));
      if (before !== undefined && before !== 'large') backlog.addJobs(before, 1);
    }
    for (const owner of ['large', ...importers]) expect(selected.filter((job) => job.owner === owner)).toHaveLength(10);
  });

  it('an organization whose job arrives after its next turn would have come is served next, as a new organization', () => {
    const backlog = new Backlog();
    backlog.addJobs('a', ...Array.from({ length: 9 }, () => 1));
    backlog.addJobs('b', ...Array.from({ length: 9 }, () => 1));
    backlog.addJobs('c', 1);
    expect(backlog.takeJobs(6).map(({ owner }) => owner)).toContain('c');
    backlog.addJobs('c', 1);
    expect(backlog.takeJobs(1).map(({ owner }) => owner)).toEqual(['c']);
  });

  it('DeficitRoundRobin selects jobs of equal total cost from an organization with large jobs and one with small jobs', () => {
    const backlog = new Backlog();
    backlog.addJobs('large', ...Array.from({ length: 100 }, () => 20));
    backlog.addJobs('small', ...Array.from({ length: 1000 }, () => 1));
    const selected = Array.from({ length: 60 }, () => backlog.takeJobs(5)).flat();
    const sumOwnerCosts = (owner: string): number => sumCosts(selected.filter((job) => job.owner === owner));
    expect(Math.abs(sumOwnerCosts('large') - sumOwnerCosts('small'))).toBeLessThanOrEqual(40);
  });

  it('DeficitRoundRobin selects every job once, keeps the order of jobs per organization, and leaves no place free while jobs wait', () => {
    const organization = fc.constantFrom('a', 'b', 'c', 'd');
    const step = fc.oneof(
      fc.record({
        owner: organization,
        costs: fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 8 }),
      }),
      fc.record({ places: fc.integer({ min: 1, max: 6 }) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const backlog = new Backlog();
        const selected: OwnedJob[] = [];
        let added = 0;
        for (const each of steps) {
          if ('owner' in each) {
            backlog.addJobs(each.owner, ...each.costs);
            added += each.costs.length;
            continue;
          }
          const before = added - selected.length;
          const takenJobs = backlog.takeJobs(each.places);
          expect(takenJobs).toHaveLength(Math.min(before, each.places));
          selected.push(...takenJobs);
        }
        selected.push(...backlog.takeJobs(1_000));
        expect(new Set(selected.map(({ id }) => id)).size).toBe(added);
        for (const own of Map.groupBy(selected, ({ owner }) => owner).values()) {
          const ids = own.map(({ id }) => id);
          expect(ids).toEqual(ids.toSorted((a, b) => a - b));
        }
      }),
    );
  });

  it('a DeficitRoundRobin that is restored from the saved state of another one selects the same jobs as the original', () => {
    const costs = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 8 });
    const backlog = fc.record({ a: costs, b: costs, c: costs });
    fc.assert(
      fc.property(backlog, fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 20 }), (waiting, calls) => {
        let nextId = 0;
        let lanes = Object.entries(waiting).map(([owner, own]) => ({
          owner,
          jobs: own.map((cost) => ({ id: nextId++, cost })),
        }));
        const original = new DeficitRoundRobin();
        let restored = new DeficitRoundRobin();
        for (const places of calls) {
          lanes = lanes.filter(({ jobs }) => jobs.length > 0);
          restored = new DeficitRoundRobin(JSON.parse(JSON.stringify(restored.exportTurns())) as SavedTurns); // exportTurns returns this type
          for (const each of [original, restored]) each.updateOwners(lanes.map(({ owner }) => owner));
          const selected = original.selectJobs(lanes, places);
          expect(restored.selectJobs(lanes, places)).toEqual(selected);
          lanes = lanes.map(({ owner, jobs }) => ({ owner, jobs: jobs.filter((job) => !selected.includes(job)) }));
        }
      }),
    );
  });

  it('DeficitRoundRobin selects jobs of about equal total cost from two organizations with waiting jobs, whatever each job costs', () => {
    const costs = fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 10 });
    fc.assert(
      fc.property(costs, costs, fc.integer({ min: 1, max: 9 }), (ofA, ofB, places) => {
        const backlog = new Backlog();
        for (const [owner, own] of [['a', ofA] as const, ['b', ofB] as const]) {
          for (let round = 0; round < 60; round += 1) backlog.addJobs(owner, ...own);
        }
        const selected: OwnedJob[] = [];
        while (selected.length < 50) selected.push(...backlog.takeJobs(places));
        const sumOwnerCosts = (owner: string): number => sumCosts(selected.filter((job) => job.owner === owner));
        // The total cost of each organization may exceed its share by the cost of one job and by the cost that it has
        // saved in earlier turns.
        expect(Math.abs(sumOwnerCosts('a') - sumOwnerCosts('b'))).toBeLessThanOrEqual(2 * 30 + 2);
      }),
    );
  });

  it('DeficitRoundRobin selects jobs whose total cost per organization is proportional to the weight of the organization', () => {
    const costs = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(
        costs,
        costs,
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 1, max: 9 }),
        (ofA, ofB, weight, places) => {
          const backlog = new Backlog({ a: weight });
          for (const [owner, own] of [['a', ofA] as const, ['b', ofB] as const]) {
            for (let round = 0; round < 500; round += 1) backlog.addJobs(owner, ...own);
          }
          const selected: OwnedJob[] = [];
          while (selected.length < 100) selected.push(...backlog.takeJobs(places));
          const sumOwnerCosts = (owner: string): number => sumCosts(selected.filter((job) => job.owner === owner));
          // The total cost of each organization may exceed its share by the cost of one round, the cost of one job, and
          // the cost that it has saved in earlier turns.
          expect(Math.abs(sumOwnerCosts('a') - weight * sumOwnerCosts('b'))).toBeLessThanOrEqual(2 * weight * (9 + 1));
        },
      ),
    );
  });
});
