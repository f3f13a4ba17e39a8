import type { JobPayloads, OwnerShare, QueueContract } from '@quarry/contracts';
import type { RawJob } from './read-job.js';

/** Delay before a postponed job tries again to start, as a part of its age, with limits in milliseconds. */
const DELAY_PER_AGE = 0.1;
const MIN_DELAY_MS = 500;
const MAX_DELAY_MS = 10_000;
/** A postponed job can return later than requested by this time, in milliseconds. */
const RETURN_GRACE_MS = 1_000;
/**
 * Time for which an owner counts as slow after a slow job, in milliseconds. Afterwards, one of its jobs can use the reserve
 * again.
 */
const SLOW_MEMORY_MS = 3_600_000;

/** Decides whether a job starts. */
export type Admission =
  | { readonly kind: 'admitted'; /** Called at the end of the job. */ readonly release: () => void }
  | { readonly kind: 'postponed'; readonly delayMs: number };

const UNLIMITED: Admission = { kind: 'admitted', release: () => undefined };

/** A job that requests a place. */
type AskingJob = Pick<RawJob, 'data'> & { readonly id?: string | undefined };

/** The jobs of one owner in this consumer. Times are in milliseconds, by the clock of `OwnerPlaces`. */
interface Owner {
  /** The start of each running job. */
  readonly running: Set<{ readonly startedAt: number }>;
  /** The time until which each postponed job is expected to return, by the id of the job. */
  readonly postponed: Map<string, number>;
  slowUntil: number;
  admittedAt: number;
}

/**
 * Counts the running jobs of a consumer by owner, also jobs that return to the queue for a retry. A job beyond a limit is postponed,
 * so that the places of others stay free:
 *
 * - An owner has at most its share of the places.
 * - All slow owners together have at most the same share. The rest is a reserve for owners whose jobs are short. An owner can use it
 *   until its first slow job, and again an hour after the latest one. So the number of slow owners does not matter.
 * - Slow owners share their places: the one with the fewest running jobs is next, then the one that has waited for longest.
 */
export class OwnerPlaces {
  readonly #share: OwnerShare | undefined;
  readonly #max: number;
  readonly #clock: () => number;
  readonly #owners = new Map<string, Owner>();

  /** Creates the places of a consumer. @param clock returns a time in milliseconds that never decreases */
  constructor(
    { ownerShare }: Pick<QueueContract<JobPayloads>, 'ownerShare'>,
    concurrency: number,
    clock = () => performance.now(),
  ) {
    this.#share = ownerShare;
    this.#max = Math.max(1, Math.floor(concurrency * (ownerShare?.max ?? 1)));
    this.#clock = clock;
  }

  /** Admits or postpones a job. @param ageMs time since the job was added */
  admit({ id = '', data }: AskingJob, ageMs: number): Admission {
    const share = this.#share;
    const name = share && readField(data, share.field);
    if (share === undefined || name === undefined) return UNLIMITED;
    const now = this.#clock();
    this.#forgetIdleOwners(now);
    const owner = this.#getOwner(name);
    if (!this.#hasPlace(owner, share, now)) {
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

  #hasPlace(owner: Owner, share: OwnerShare, now: number): boolean {
    if (owner.running.size >= this.#max) return false;
    if (!isSlow(owner, share, now)) return true;
    const slow = [...this.#owners.values()].filter((each) => isSlow(each, share, now));
    const running = slow.reduce((sum, each) => sum + each.running.size, 0);
    return running < this.#max && !slow.some((other) => isWaiting(other, now) && isBefore(other, owner));
  }

  #getOwner(name: string): Owner {
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

  #forgetIdleOwners(now: number): void {
    for (const [name, owner] of this.#owners) {
      for (const [id, until] of owner.postponed) if (until < now) owner.postponed.delete(id);
      if (owner.running.size === 0 && owner.postponed.size === 0 && owner.slowUntil <= now) this.#owners.delete(name);
    }
  }
}

function isSlow({ running, slowUntil }: Owner, { slowAfterMs }: OwnerShare, now: number): boolean {
  return slowUntil > now || [...running].some(({ startedAt }) => now - startedAt >= slowAfterMs);
}

function isWaiting({ postponed }: Owner, now: number): boolean {
  return [...postponed.values()].some((until) => until >= now);
}

/** Returns true if an owner gets the next place before another one. */
function isBefore(one: Owner, other: Owner): boolean {
  if (one.running.size !== other.running.size) return one.running.size < other.running.size;
  return one.admittedAt < other.admittedAt;
}

function readField(data: unknown, field: string): string | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  const value: unknown = Reflect.get(data, field);
  return typeof value === 'string' ? value : undefined;
}
