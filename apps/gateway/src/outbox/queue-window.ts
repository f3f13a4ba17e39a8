import type { QueueDepth } from '@quarry/queue';

/** Number of jobs that may wait in a queue whose consumers are unknown, such as before the first worker starts. */
const MIN_WINDOW = 8;
/** Work for this time waits in the queue, so that fast workers never wait for the dispatcher. In seconds. */
const BUFFER_SECONDS = 0.4;
/** Weight of the latest measurement of the rate. */
const SMOOTHING = 0.3;
/** Measurements over a shorter time are too inaccurate. In milliseconds. */
const MIN_MEASURED_MS = 20;

type Load = Pick<QueueDepth, 'waiting' | 'active' | 'delayed'>;

/** Computes how many jobs may wait in a queue, from the capacity of its consumers and the rate at which they finish jobs. */
export class QueueWindow {
  readonly #minWindow: number;
  #rate = 0;
  #last: { readonly atMs: number; readonly jobs: number } | undefined;

  /** @param minWindow number of jobs that may always wait */
  constructor(minWindow = MIN_WINDOW) {
    this.#minWindow = minWindow;
  }

  /** Returns the number of jobs that the queue has room for. @param atMs the time of the measurement, in milliseconds */
  getFreePlaces(load: Load, capacity: number, atMs: number): number {
    this.#measureRate(countJobs(load), atMs);
    const size = Math.max(this.#minWindow, capacity) + Math.ceil(this.#rate * BUFFER_SECONDS);
    return Math.max(0, size - load.waiting);
  }

  /** Records jobs that were published after the measurement. */
  addPublished(jobs: number): void {
    if (this.#last !== undefined) this.#last = { ...this.#last, jobs: this.#last.jobs + jobs };
  }

  #measureRate(jobs: number, atMs: number): void {
    const last = this.#last;
    if (last !== undefined && atMs - last.atMs < MIN_MEASURED_MS) return;
    if (last !== undefined) {
      const rate = Math.max(0, last.jobs - jobs) / ((atMs - last.atMs) / 1000);
      this.#rate += SMOOTHING * (rate - this.#rate);
    }
    this.#last = { atMs, jobs };
  }
}

function countJobs({ waiting, active, delayed }: Load): number {
  return waiting + active + delayed;
}
