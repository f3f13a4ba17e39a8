import type { FairSelection, WaitingJob } from './fair-selection.js';
import { JOB_CLASSES } from './outbox.js';
import type { LaneOfClass } from './waiting-jobs.js';

/** Time after which a waiting job moves up by one class, in milliseconds. */
const AGEING_MS = 60_000;

export interface Places {
  /** Number of jobs that the queue has room for. */
  readonly free: number;
  /** Returns how many more jobs of an organization may be in the queue. */
  readonly freeFor: (organizationId: string) => number;
}

/**
 * Selects the jobs for the free places of a queue: class by class, and within a class fairly between the organizations. A job that
 * has waited moves up, so that every class is served.
 *
 * @returns the ids of the jobs, in the order in which they are to run
 */
export function selectJobs(selection: FairSelection, lanes: readonly LaneOfClass[], places: Places): readonly number[] {
  selection.order(new Set(lanes.map(({ organizationId }) => organizationId)));
  const selected: number[] = [];
  const used = new Map<string, number>();
  for (const level of JOB_CLASSES.keys()) {
    const atLevel = lanes.filter((lane) => levelOf(lane) === level);
    const offered = [...Map.groupBy(atLevel, ({ organizationId }) => organizationId)].map(([organizationId, own]) => ({
      organizationId,
      jobs: own
        .flatMap(({ jobs }) => jobs.map((job) => ({ ...job, organizationId })))
        .slice(0, Math.max(0, places.freeFor(organizationId) - (used.get(organizationId) ?? 0))),
    }));
    const jobs: readonly (WaitingJob & { readonly organizationId: string })[] = selection.select(
      offered,
      places.free - selected.length,
    );
    for (const { id, organizationId } of jobs) {
      selected.push(id);
      used.set(organizationId, (used.get(organizationId) ?? 0) + 1);
    }
  }
  return selected;
}

function levelOf({ class: jobClass, waitedMs }: LaneOfClass): number {
  return Math.max(0, jobClass - Math.floor(waitedMs / AGEING_MS));
}
