import { DeficitRoundRobin, type SavedTurns } from './deficit-round-robin.js';
import { JOB_CLASSES } from './outbox.js';
import type { WaitingJob, LaneOfClass } from './waiting-jobs.js';

/** Time in milliseconds after which a waiting job is treated as a job of the next more urgent class. */
const AGEING_MS = 10_000;

export interface Places {
  /** Number of jobs that can be added to the queue, of all organizations together. */
  readonly free: number;
  /** Returns the number of jobs of an organization that can be added to the queue. */
  readonly countFreePlaces: (organizationId: string) => number;
}

/** The state of a `FairJobSelection`, as JSON. */
export interface SavedSelection {
  readonly organizations: SavedTurns;
  /**
   * The turns of the job classes of each organization, keyed by organization id. Contains only organizations with
   * waiting jobs of several classes.
   */
  readonly classesOf: Readonly<Record<string, SavedTurns>>;
}

/**
 * Selects the jobs to publish to a queue: class by class, and within a class fairly between the organizations. A job
 * that has waited for 10 seconds moves to the next more urgent class. There, it alternates with the other jobs of its
 * organization. So jobs of every class are selected, even if more urgent jobs keep arriving.
 */
export class FairJobSelection {
  readonly #organizations: DeficitRoundRobin;
  readonly #classesOf: Map<string, DeficitRoundRobin>;

  /** @param saved the state of an earlier selection to continue. Default: no state. */
  constructor({ organizations, classesOf }: Partial<SavedSelection> = {}) {
    this.#organizations = new DeficitRoundRobin(organizations);
    const classes = Object.entries(classesOf ?? {});
    this.#classesOf = new Map(classes.map(([owner, turns]) => [owner, new DeficitRoundRobin(turns)]));
  }

  /** Returns the state of the turns, with which another instance can continue the turns. */
  exportTurns(): SavedSelection {
    const classes = [...this.#classesOf].map(([owner, selection]) => [owner, selection.exportTurns()] as const);
    // An organization with jobs of a single class needs no turns: its jobs are selected in order.
    const several = classes.filter(([, { ring }]) => ring.length > 1);
    return { organizations: this.#organizations.exportTurns(), classesOf: Object.fromEntries(several) };
  }

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
        lanes.filter((lane) => getUrgencyLevel(lane) === level),
        ({ organizationId }) => organizationId,
      );
      const offers = [...atLevel].map(([organizationId, own]) => {
        const limit = Math.min(free, places.countFreePlaces(organizationId) - (used.get(organizationId) ?? 0));
        return {
          owner: organizationId,
          weight: own[0]?.weight ?? 1,
          ...this.#selectOwnJobs(organizationId, own, limit),
        };
      });
      const jobs = this.#organizations.selectJobs(offers, free);
      selected.push(...jobs.map(({ id }) => id));
      for (const { owner, acceptJobs, jobs: offered } of offers) {
        const accepted = jobs.filter((job) => offered.includes(job)).length;
        acceptJobs(accepted);
        used.set(owner, (used.get(owner) ?? 0) + accepted);
      }
    }
    return selected;
  }

  /**
   * Proposes jobs of one organization that are equally urgent but may have different classes. The classes take turns.
   * The turn of a class ends only when `acceptJobs` accepts its proposed job.
   */
  #selectOwnJobs(organizationId: string, own: readonly LaneOfClass[], limit: number): ProposedJobs {
    if (limit <= 0) return { jobs: [], acceptJobs: () => undefined };
    const classes = this.#classesOf.get(organizationId) ?? new DeficitRoundRobin();
    this.#classesOf.set(organizationId, classes);
    const lanes = own.map((lane) => ({ owner: String(lane.class), jobs: lane.jobs }));
    classes.updateOwners(lanes.map(({ owner }) => owner));
    const jobs = new DeficitRoundRobin(classes.exportTurns()).selectJobs(lanes, limit);
    return { jobs, acceptJobs: (accepted) => void classes.selectJobs(lanes, accepted) };
  }
}

/** The jobs of one organization that are proposed for selection, in the order in which they are to run. */
interface ProposedJobs {
  readonly jobs: readonly WaitingJob[];
  /**
   * Ends the turns of the classes whose proposed jobs were selected.
   *
   * @param jobs the number of selected jobs, which are the first ones of the proposed jobs
   */
  readonly acceptJobs: (jobs: number) => void;
}

/** Returns the class as which a lane is treated because of its waiting time. 0 is the most urgent class. */
function getUrgencyLevel({ class: jobClass, waitedMs }: LaneOfClass): number {
  return Math.max(0, jobClass - Math.floor(waitedMs / AGEING_MS));
}
