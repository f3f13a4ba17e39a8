/** A job that waits for a free place in its queue. */
export interface WaitingJob {
  readonly id: number;
  /** The expected work. 1 is the work for a small document. */
  readonly cost: number;
}

/** The waiting jobs of one organization that may be selected now, in the order in which they are to run. */
export interface Lane<Job extends WaitingJob = WaitingJob> {
  readonly organizationId: string;
  readonly jobs: readonly Job[];
}

/** Cost that an organization may use per turn. The smallest cost, so that a turn of a backlog of small jobs is one job. */
const QUANTUM = 1;

/**
 * Selects jobs by deficit round robin. In each round, every organization with waiting jobs may use the same cost, and saves what is
 * too little for its next job. An organization whose first job arrives is next. The rounds continue from call to call.
 *
 * Sources: Shreedhar and Varghese, "Efficient Fair Queuing Using Deficit Round Robin", 1996; RFC 8290 (new flows first).
 */
export class FairSelection {
  /** Organizations with waiting jobs, in the order of their turns. */
  #ring: string[] = [];
  /** Costs that organizations have saved. */
  readonly #savings = new Map<string, number>();
  /** The organization whose turn goes on in the next call, because no place was left. */
  #interrupted: string | undefined;

  /** Updates the organizations with waiting jobs. @returns them in the order of their turns */
  order(waiting: Iterable<string>): readonly string[] {
    const present = new Set(waiting);
    const known = new Set(this.#ring);
    const remaining = this.#ring.filter((each) => present.has(each));
    for (const each of known) if (!present.has(each)) this.#savings.delete(each);
    if (this.#interrupted !== undefined && !present.has(this.#interrupted)) this.#interrupted = undefined;
    this.#ring = [...[...present].filter((each) => !known.has(each)), ...remaining];
    return this.#ring;
  }

  /** Selects at most `places` jobs, in the order in which they are to run. @param lanes of organizations that `order` returned */
  select<Job extends WaitingJob>(lanes: readonly Lane<Job>[], places: number): readonly Job[] {
    const waiting = new Map(lanes.map(({ organizationId, jobs }) => [organizationId, [...jobs]]));
    const selected: Job[] = [];
    while (selected.length < places) {
      const organizationId = this.#ring.find((each) => (waiting.get(each)?.length ?? 0) > 0);
      if (organizationId === undefined) break;
      const jobs = waiting.get(organizationId) ?? [];
      selected.push(...this.#takeTurn(organizationId, jobs, places - selected.length));
    }
    return selected;
  }

  /** Takes the jobs that an organization can afford from its list, and ends its turn unless no place was left. */
  #takeTurn<Job extends WaitingJob>(organizationId: string, jobs: Job[], places: number): readonly Job[] {
    const taken: Job[] = [];
    let savings = this.#savings.get(organizationId) ?? 0;
    if (this.#interrupted !== organizationId) savings += QUANTUM;
    this.#interrupted = undefined;
    for (let next = jobs[0]; next !== undefined && next.cost <= savings && taken.length < places; next = jobs[0]) {
      taken.push(next);
      savings -= next.cost;
      jobs.shift();
    }
    this.#savings.set(organizationId, savings);
    const canAffordNext = jobs[0] !== undefined && jobs[0].cost <= savings;
    if (canAffordNext) this.#interrupted = organizationId;
    else this.#ring = [...this.#ring.filter((each) => each !== organizationId), organizationId];
    return taken;
  }
}
