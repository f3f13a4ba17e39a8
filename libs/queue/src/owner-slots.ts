import type { JobPayloads, OwnerShare, QueueContract } from '@quarry/contracts';
import type { RawJob } from './read-job.js';

/**
 * Ratio of a postponed job's delay to the job's age. After the delay, the job requests a slot again. `MIN_DELAY_MS` and
 * `MAX_DELAY_MS` limit the delay.
 */
const DELAY_PER_AGE = 0.1;
const MIN_DELAY_MS = 500;
const MAX_DELAY_MS = 10_000;
/** Milliseconds for which a postponed job still counts as waiting after its delay has ended. */
const RETURN_GRACE_MS = 1_000;
/** Time in milliseconds for which an owner counts as slow after one of its jobs was slow (`OwnerShare.slowAfterMs`). */
const SLOW_MEMORY_MS = 3_600_000;

/** States whether a job may start now. */
export type Admission =
  | { readonly kind: 'admitted'; /** Frees the slot. Call it at the end of the job. */ readonly release: () => void }
  | { readonly kind: 'postponed'; readonly delayMs: number };

const UNLIMITED: Admission = { kind: 'admitted', release: () => undefined };

/** Describes a job that requests a slot. */
type RequestingJob = Pick<RawJob, 'data'> & { readonly id?: string | undefined };

/** Describes the jobs that one owner has in this consumer. Times are milliseconds of the clock of `OwnerSlots`. */
interface Owner {
  /** Contains the start time of each running job. */
  readonly running: Set<{ readonly startedAt: number }>;
  /** Maps the id of each postponed job to the time until which the job counts as waiting. */
  readonly postponed: Map<string, number>;
  slowUntil: number;
  admittedAt: number;
}

/**
 * Divides the slots of a consumer, each for one running job, among the owners of jobs. The number of slots is the
 * concurrency of the consumer. A job above a limit is postponed, so that slots stay free for jobs of other owners. The
 * limits:
 *
 * - An owner has at most its share (`OwnerShare.max`) of the slots.
 * - All slow owners together have at most as many slots as one owner may have. The other slots are reserved for owners
 *   that are not slow. An owner is slow from its first job that takes `slowAfterMs` until an hour after its latest such
 *   job.
 * - The next slot of the slow owners goes to the owner with the fewest running jobs. Among owners with equally many
 *   running jobs, it goes to the owner whose latest job started first.
 */
export class OwnerSlots {
  readonly #share: OwnerShare | undefined;
  readonly #max: number;
  readonly #clock: () => number;
  readonly #owners = new Map<string, Owner>();

  /** @param clock returns a time in milliseconds that never decreases */
  constructor(
    { ownerShare }: Pick<QueueContract<JobPayloads>, 'ownerShare'>,
    concurrency: number,
    clock = () => performance.now(),
  ) {
    this.#share = ownerShare;
    this.#max = Math.max(1, Math.floor(concurrency * (ownerShare?.max ?? 1)));
    this.#clock = clock;
  }

  /** Admits or postpones a job. @param ageMs time since the job was added, in milliseconds */
  admitOrPostpone({ id = '', data }: RequestingJob, ageMs: number): Admission {
    const share = this.#share;
    const name = share && getTextFieldOrUndefined(data, share.field);
    if (share === undefined || name === undefined) return UNLIMITED;
    const now = this.#clock();
    this.#removeIdleOwners(now);
    const owner = this.#getOrAddOwner(name);
    if (!this.#hasFreeSlot(owner, share, now)) {
      const delayMs = Math.min(MAX_DELAY_MS, Math.max(MIN_DELAY_MS, ageMs * DELAY_PER_AGE));
      owner.postponed.set(id, now + delayMs + RETURN_GRACE_MS);
      return { kind: 'postponed', delayMs };
    }
    const job = { startedAt: now };
    owner.postponed.delete(id);
    owner.running.add(job);
    owner.admittedAt = now;
    return {
      kind: 'admitted',
      release: () => {
        owner.running.delete(job);
        const endedAt = this.#clock();
        if (endedAt - job.startedAt >= share.slowAfterMs) owner.slowUntil = endedAt + SLOW_MEMORY_MS;
      },
    };
  }

  #hasFreeSlot(owner: Owner, share: OwnerShare, now: number): boolean {
    if (owner.running.size >= this.#max) return false;
    if (!isSlowOwner(owner, share, now)) return true;
    const slow = [...this.#owners.values()].filter((each) => isSlowOwner(each, share, now));
    const running = slow.reduce((sum, each) => sum + each.running.size, 0);
    return running < this.#max && !slow.some((other) => hasWaitingJob(other, now) && isBeforeInTurn(other, owner));
  }

  #getOrAddOwner(name: string): Owner {
    const known = this.#owners.get(name);
    if (known !== undefined) return known;
    const owner = {
      running: new Set<{ readonly startedAt: number }>(),
      postponed: new Map<string, number>(),
      slowUntil: -Infinity,
      admittedAt: -Infinity,
    };
    this.#owners.set(name, owner);
    return owner;
  }

  #removeIdleOwners(now: number): void {
    for (const [name, owner] of this.#owners) {
      for (const [id, until] of owner.postponed) if (until < now) owner.postponed.delete(id);
      if (owner.running.size === 0 && owner.postponed.size === 0 && owner.slowUntil <= now) this.#owners.delete(name);
    }
  }
}

function isSlowOwner({ running, slowUntil }: Owner, { slowAfterMs }: OwnerShare, now: number): boolean {
  return slowUntil > now || [...running].some(({ startedAt }) => now - startedAt >= slowAfterMs);
}

function hasWaitingJob({ postponed }: Owner, now: number): boolean {
  return [...postponed.values()].some((until) => until >= now);
}

/** Returns true if `owner` gets the next slot of the slow owners before `other`. */
function isBeforeInTurn(owner: Owner, other: Owner): boolean {
  if (owner.running.size !== other.running.size) return owner.running.size < other.running.size;
  return owner.admittedAt < other.admittedAt;
}

function getTextFieldOrUndefined(data: unknown, field: string): string | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  const value: unknown = Reflect.get(data, field);
  return typeof value === 'string' ? value : undefined;
}
