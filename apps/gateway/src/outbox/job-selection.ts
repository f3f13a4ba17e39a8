import type { WaitingJob, LaneOfClass } from './waiting-jobs.js';
import { JOB_CLASSES } from './outbox.js';

/** Time after which a waiting job moves up by one class, in milliseconds. */
const AGEING_MS = 10_000;

export interface Places {
  /** Number of jobs that the queue has room for. */
  readonly free: number;
  /** Returns how many more jobs of an organization may be in the queue. */
  readonly freeFor: (organizationId: string) => number;
}

/** The state of a `JobSelection`, as JSON. */
export interface SavedSelection {
  readonly organizations: SavedTurns;
  /** The turns of organizations with waiting jobs of several classes. */
  readonly classesOf: Readonly<Record<string, SavedTurns>>;
}

/**
 * Selects the jobs for the free places of a queue: class by class, and within a class fairly between the organizations. A job that
 * has waited moves up, and then takes turns with the more urgent jobs of its organization. So every class is served.
 */
export class JobSelection {
  readonly #organizations: FairSelection;
  readonly #classesOf: Map<string, FairSelection>;

  /** @param saved the state of an earlier selection, which continues. Default: none. */
  constructor({ organizations, classesOf }: Partial<SavedSelection> = {}) {
    this.#organizations = new FairSelection(organizations);
    const classes = Object.entries(classesOf ?? {});
    this.#classesOf = new Map(classes.map(([owner, turns]) => [owner, new FairSelection(turns)]));
  }

  /** Returns the turns, from which another instance can continue. */
  saveTurns(): SavedSelection {
    const classes = [...this.#classesOf].map(([owner, selection]) => [owner, selection.saveTurns()] as const);
    // The jobs of a single class run in their order, whatever it has saved.
    const several = classes.filter(([, { ring }]) => ring.length > 1);
    return { organizations: this.#organizations.saveTurns(), classesOf: Object.fromEntries(several) };
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
        lanes.filter((lane) => getLevel(lane) === level),
        ({ organizationId }) => organizationId,
      );
      const offers = [...atLevel].map(([organizationId, own]) => {
        const limit = Math.min(free, places.freeFor(organizationId) - (used.get(organizationId) ?? 0));
        return {
          owner: organizationId,
          weight: own[0]?.weight ?? 1,
          ...this.#selectOwnJobs(organizationId, own, limit),
        };
      });
      const jobs = this.#organizations.selectJobs(offers, free);
      selected.push(...jobs.map(({ id }) => id));
      for (const { owner, accept, jobs: offered } of offers) {
        const accepted = jobs.filter((job) => offered.includes(job)).length;
        accept(accepted);
        used.set(owner, (used.get(owner) ?? 0) + accepted);
      }
    }
    return selected;
  }

  /** Selects jobs of one organization and level. Its classes take turns. A turn ends when a job is accepted. */
  #selectOwnJobs(organizationId: string, own: readonly LaneOfClass[], limit: number): Offer {
    if (limit <= 0) return { jobs: [], accept: () => undefined };
    const classes = this.#classesOf.get(organizationId) ?? new FairSelection();
    this.#classesOf.set(organizationId, classes);
    const lanes = own.map((lane) => ({ owner: String(lane.class), jobs: lane.jobs }));
    classes.updateOwners(lanes.map(({ owner }) => owner));
    const jobs = new FairSelection(classes.saveTurns()).selectJobs(lanes, limit);
    return { jobs, accept: (accepted) => void classes.selectJobs(lanes, accepted) };
  }
}

/** Holds the next jobs of one organization, in order. */
interface Offer {
  readonly jobs: readonly WaitingJob[];
  /** Ends the turns of the first jobs. */
  readonly accept: (jobs: number) => void;
}

function getLevel({ class: jobClass, waitedMs }: LaneOfClass): number {
  return Math.max(0, jobClass - Math.floor(waitedMs / AGEING_MS));
}

/** The waiting jobs of one owner, in the order in which they are to run. Owners are organizations, or classes of one organization. */
export interface Lane<Job extends WaitingJob = WaitingJob> {
  readonly owner: string;
  /** Share of the owner, relative to other owners with waiting jobs. Default: 1. */
  readonly weight?: number;
  readonly jobs: readonly Job[];
}

/** Cost that an owner of weight 1 may use per turn. The smallest cost, so that a turn of a backlog of small jobs is one job. */
const QUANTUM = 1;

/** The state of a `FairSelection`, as JSON. */
export interface SavedTurns {
  /** Owners of waiting jobs in the order of their turns, each with its unused cost. */
  readonly ring: readonly (readonly [owner: string, savings: number])[];
  /** The owner whose turn continues in the next call, because no place was left. */
  readonly interrupted?: string;
}

/**
 * Selects jobs by deficit round robin. In each round, every owner of waiting jobs receives the same cost per weight, and keeps
 * what is too little for its next job. A new owner is next. Rounds continue across calls.
 *
 * Sources: Shreedhar and Varghese, "Efficient Fair Queuing Using Deficit Round Robin", 1996; RFC 8290 (new flows first).
 */
export class FairSelection {
  #ring: string[];
  readonly #savings: Map<string, number>;
  #interrupted: string | undefined;

  /** @param saved turns to continue. Default: none, every owner begins without savings. */
  constructor({ ring, interrupted }: SavedTurns = { ring: [] }) {
    this.#ring = ring.map(([owner]) => owner);
    this.#savings = new Map(ring);
    this.#interrupted = interrupted;
  }

  /** Returns the turns, from which another instance can continue. */
  saveTurns(): SavedTurns {
    const ring = this.#ring.map((owner) => [owner, this.#savings.get(owner) ?? 0] as const);
    return { ring, ...(this.#interrupted !== undefined && { interrupted: this.#interrupted }) };
  }

  /** Updates the owners of waiting jobs. Call it before `selectJobs`. */
  updateOwners(waiting: Iterable<string>): void {
    const present = new Set(waiting);
    const known = new Set(this.#ring);
    const remaining = this.#ring.filter((each) => present.has(each));
    for (const each of known) if (!present.has(each)) this.#savings.delete(each);
    if (this.#interrupted !== undefined && !present.has(this.#interrupted)) this.#interrupted = undefined;
    this.#ring = [...[...present].filter((each) => !known.has(each)), ...remaining];
  }

  /** Selects at most `places` jobs, in the order in which they are to run. @param lanes of owners that `updateOwners` received */
  selectJobs<Job extends WaitingJob>(lanes: readonly Lane<Job>[], places: number): readonly Job[] {
    const waiting = new Map(lanes.map((lane) => [lane.owner, { ...lane, jobs: [...lane.jobs] }]));
    const selected: Job[] = [];
    while (selected.length < places) {
      const next = this.#ring
        .map((owner) => waiting.get(owner))
        .find((lane) => lane !== undefined && lane.jobs.length > 0);
      if (next === undefined) break;
      selected.push(...this.#takeTurn(next, places - selected.length));
    }
    return selected;
  }

  /** Takes the jobs that an owner can afford from its lane. Ends its turn unless all places are filled. */
  #takeTurn<Job extends WaitingJob>({ owner, weight = 1, jobs }: OpenLane<Job>, places: number): readonly Job[] {
    const takenJobs: Job[] = [];
    let savings = this.#savings.get(owner) ?? 0;
    if (this.#interrupted !== owner) savings += QUANTUM * weight;
    this.#interrupted = undefined;
    for (let next = jobs[0]; next !== undefined && next.cost <= savings && takenJobs.length < places; next = jobs[0]) {
      takenJobs.push(next);
      savings -= next.cost;
      jobs.shift();
    }
    this.#savings.set(owner, savings);
    const canAffordNext = jobs[0] !== undefined && jobs[0].cost <= savings;
    if (canAffordNext) this.#interrupted = owner;
    else this.#ring = [...this.#ring.filter((each) => each !== owner), owner];
    return takenJobs;
  }
}

/** A lane whose jobs are taken from the front. */
interface OpenLane<Job extends WaitingJob> extends Omit<Lane<Job>, 'jobs'> {
  readonly jobs: Job[];
}
