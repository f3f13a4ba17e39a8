import { FairSelection, type WaitingJob } from './fair-selection.js';
import { JOB_CLASSES } from './outbox.js';
import type { LaneOfClass } from './waiting-jobs.js';

/** Time after which a waiting job moves up by one class, in milliseconds. */
const AGEING_MS = 10_000;

export interface Places {
  /** Number of jobs that the queue has room for. */
  readonly free: number;
  /** Returns how many more jobs of an organization may be in the queue. */
  readonly freeFor: (organizationId: string) => number;
}

/**
 * Selects the jobs for the free places of a queue: class by class, and within a class fairly between the organizations. A job that
 * has waited moves up, and then takes turns with the more urgent jobs of its organization. So every class is served.
 */
export class JobSelection {
  readonly #organizations = new FairSelection();
  readonly #classesOf = new Map<string, FairSelection>();

  /** Returns the ids of the selected jobs, in the order in which they are to run. */
  selectJobs(lanes: readonly LaneOfClass[], places: Places): readonly number[] {
    const waiting = new Set(lanes.map(({ organizationId }) => organizationId));
    this.#organizations.updateOwners(waiting);
    for (const each of this.#classesOf.keys()) if (!waiting.has(each)) this.#classesOf.delete(each);
    const selected: number[] = [];
    const used = new Map<string, number>();
    for (const level of JOB_CLASSES.keys()) {
      const free = places.free - selected.length;
      const atLevel = Map.groupBy(
        lanes.filter((lane) => getLevel(lane) === level),
        ({ organizationId }) => organizationId,
      );
      const offered = [...atLevel].map(([organizationId, own]) => {
        const limit = Math.min(free, places.freeFor(organizationId) - (used.get(organizationId) ?? 0));
        const jobs = this.#selectOfOrganization(organizationId, own, limit);
        return { owner: organizationId, jobs: jobs.map((job) => ({ ...job, organizationId })) };
      });
      for (const { id, organizationId } of this.#organizations.selectJobs(offered, free)) {
        selected.push(id);
        used.set(organizationId, (used.get(organizationId) ?? 0) + 1);
      }
    }
    return selected;
  }

  /** Selects jobs of one organization and level. Its classes take turns. */
  #selectOfOrganization(organizationId: string, own: readonly LaneOfClass[], limit: number): readonly WaitingJob[] {
    if (limit <= 0) return [];
    const classes = this.#classesOf.get(organizationId) ?? new FairSelection();
    this.#classesOf.set(organizationId, classes);
    const lanes = own.map((lane) => ({ owner: String(lane.class), jobs: lane.jobs }));
    classes.updateOwners(lanes.map(({ owner }) => owner));
    return classes.selectJobs(lanes, limit);
  }
}

function getLevel({ class: jobClass, waitedMs }: LaneOfClass): number {
  return Math.max(0, jobClass - Math.floor(waitedMs / AGEING_MS));
}
