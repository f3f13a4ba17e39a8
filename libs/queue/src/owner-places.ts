import type { JobPayloads, OwnerShare, QueueContract } from '@quarry/contracts';
import type { RawJob } from './read-job.js';

/** Part of its age that a job waits before it tries again to start, with limits in milliseconds. */
const DELAY_PER_AGE = 0.1;
const MIN_DELAY_MS = 500;
const MAX_DELAY_MS = 10_000;

/** The decision whether a job starts. */
export type Admission =
  | { readonly kind: 'admitted'; /** Called at the end of the job. */ readonly release: () => void }
  | { readonly kind: 'postponed'; readonly delayMs: number };

const UNLIMITED: Admission = { kind: 'admitted', release: () => undefined };

/**
 * Counts the running jobs of a consumer by owner. A job beyond the share of its owner is postponed, so that the places of others
 * stay free, also for jobs that return to the queue for a retry.
 */
export class OwnerPlaces {
  readonly #share: OwnerShare | undefined;
  readonly #max: number;
  readonly #running = new Map<string, number>();

  constructor({ ownerShare }: Pick<QueueContract<JobPayloads>, 'ownerShare'>, concurrency: number) {
    this.#share = ownerShare;
    this.#max = Math.max(1, Math.floor(concurrency * (ownerShare?.max ?? 1)));
  }

  /** @param ageMs time since the job was added */
  admit({ data }: Pick<RawJob, 'data'>, ageMs: number): Admission {
    const owner = this.#share && readField(data, this.#share.field);
    if (owner === undefined) return UNLIMITED;
    const running = this.#running.get(owner) ?? 0;
    if (running >= this.#max)
      return { kind: 'postponed', delayMs: Math.min(MAX_DELAY_MS, Math.max(MIN_DELAY_MS, ageMs * DELAY_PER_AGE)) };
    this.#running.set(owner, running + 1);
    return {
      kind: 'admitted',
      release: () => {
        this.#release(owner);
      },
    };
  }

  #release(owner: string): void {
    const running = (this.#running.get(owner) ?? 0) - 1;
    if (running > 0) this.#running.set(owner, running);
    else this.#running.delete(owner);
  }
}

function readField(data: unknown, field: string): string | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  const value: unknown = Reflect.get(data, field);
  return typeof value === 'string' ? value : undefined;
}
