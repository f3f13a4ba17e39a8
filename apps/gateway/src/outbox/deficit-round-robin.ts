import type { WaitingJob } from './waiting-jobs.js';

/**
 * The waiting jobs of one owner, in the order in which they are to run. An owner is an organization, or a class of jobs
 * of one organization.
 */
export interface Lane<Job extends WaitingJob = WaitingJob> {
  readonly owner: string;
  /**
   * Weight of the owner. An owner of weight 2 may start twice the work of an owner of weight 1 in each turn. Default:
   * 1.
   */
  readonly weight?: number;
  readonly jobs: readonly Job[];
}

/**
 * Total cost of the jobs that an owner of weight 1 may start per turn. Equals the smallest cost of a job, so that an
 * owner with small jobs starts one job per turn.
 */
const QUANTUM = 1;

/** The state of a `DeficitRoundRobin`, as JSON. */
export interface SavedTurns {
  /**
   * Owners in the order of their turns, each with the cost that it has saved in earlier turns. An owner whose last job
   * was selected stays until its next turn.
   */
  readonly ring: readonly (readonly [owner: string, savings: number])[];
  /**
   * The owner whose turn continues in the next call of `selectJobs`, because the queue had no room for its next job.
   * Absent: no turn was interrupted.
   */
  readonly interrupted?: string;
}

/**
 * Selects jobs by deficit round robin. In each round, every owner of waiting jobs has one turn. In its turn, an owner
 * may start jobs up to a total cost that is proportional to its weight. If the rest of this cost is too small for its
 * next job, the owner saves the rest for later turns. A new owner gets the next turn. An owner without further jobs stays
 * in the round until its next turn. Otherwise, owners that add one job at a time would be new owners each time, and the
 * others would have no turns. A call of `selectJobs` continues the round of the preceding call.
 *
 * Sources: Shreedhar and Varghese, "Efficient Fair Queuing Using Deficit Round Robin", 1996; RFC 8290, section 4.2 (new
 * flows first, and empty flows).
 */
export class DeficitRoundRobin {
  #ring: string[];
  readonly #savings: Map<string, number>;
  #interrupted: string | undefined;
  #waiting: ReadonlySet<string> = new Set();

  /** @param saved the turns of another instance to continue. By default, every owner begins without savings. */
  constructor({ ring, interrupted }: SavedTurns = { ring: [] }) {
    this.#ring = ring.map(([owner]) => owner);
    this.#savings = new Map(ring);
    this.#interrupted = interrupted;
  }

  /** Returns the state of the turns, with which another instance can continue the turns. */
  exportTurns(): SavedTurns {
    const ring = this.#ring.map((owner) => [owner, this.#savings.get(owner) ?? 0] as const);
    return { ring, ...(this.#interrupted !== undefined && { interrupted: this.#interrupted }) };
  }

  /** Sets which owners have waiting jobs. Call this method before `selectJobs`. */
  updateOwners(waiting: Iterable<string>): void {
    this.#waiting = new Set(waiting);
    const known = new Set(this.#ring);
    for (const each of known) if (!this.#waiting.has(each)) this.#savings.delete(each);
    if (this.#interrupted !== undefined && !this.#waiting.has(this.#interrupted)) this.#interrupted = undefined;
    const newOwners = [...this.#waiting].filter((each) => !known.has(each));
    this.#ring = this.#waiting.size === 0 ? [] : [...newOwners, ...this.#ring];
  }

  /**
   * Selects at most `places` jobs, in the order in which they are to run.
   *
   * @param lanes the lanes of owners that `updateOwners` received
   */
  selectJobs<Job extends WaitingJob>(lanes: readonly Lane<Job>[], places: number): readonly Job[] {
    const waiting = new Map(lanes.map((lane) => [lane.owner, { ...lane, jobs: [...lane.jobs] }]));
    const selected: Job[] = [];
    while (selected.length < places) {
      const position = this.#ring.findIndex((owner) => (waiting.get(owner)?.jobs.length ?? 0) > 0);
      const next = waiting.get(this.#ring[position] ?? '');
      if (next === undefined) break;
      // The turns of the owners before `position` have come. Those without waiting jobs leave the round.
      this.#ring = this.#ring.filter((owner, index) => index >= position || this.#waiting.has(owner));
      selected.push(...this.#takeJobsOfTurn(next, places - selected.length));
    }
    return selected;
  }

  /**
   * Removes from the lane of an owner the jobs that the owner may start in this turn, at most `places`, and returns
   * them. Ends the turn, unless the owner may start even more jobs in this turn.
   */
  #takeJobsOfTurn<Job extends WaitingJob>({ owner, weight = 1, jobs }: OpenLane<Job>, places: number): readonly Job[] {
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

/** A lane with a mutable list of jobs, from which each selected job is removed. */
interface OpenLane<Job extends WaitingJob> extends Omit<Lane<Job>, 'jobs'> {
  readonly jobs: Job[];
}
