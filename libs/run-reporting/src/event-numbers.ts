/** Describes the sequence numbers of the events that one start of a job may emit, both ends included. */
export interface EventNumbers {
  readonly first: number;
  /** Reserved for the final event, so that it is newer than every other event of this start. */
  readonly last: number;
}

/**
 * Describes the part of a run that a job does.
 *
 * - `fetching-one`: the job fetches the one document of the run, and another job indexes it.
 * - `whole`: every other job.
 */
export type RunPhase = 'fetching-one' | 'whole';

/** The numbers of a job that was repeated 4 times still fit into PostgreSQL's `integer`. */
const PER_REPEAT = 500_000_000;
const PER_START = 10_000;
const MAX_START = PER_REPEAT / PER_START - 2;
const PER_FETCHING_START = 100;
const MAX_FETCHING_START = PER_START / PER_FETCHING_START - 1;

/**
 * Returns the sequence numbers for one start of a job. This is the contract between all jobs of a run: the gateway ignores an
 * event whose number is not greater than the last one that it accepted.
 *
 * - A job that was lost and enqueued again has greater numbers than the lost one, which may still run somewhere.
 * - A later start of a job has greater numbers than an earlier one.
 * - The job that indexes a document has greater numbers (from 10,000) than the job that fetches it (below 10,000).
 */
export function eventNumbers({ starts, repeat = 0, phase }: JobStart): EventNumbers {
  const base = repeat * PER_REPEAT;
  if (phase === 'whole') {
    const start = base + Math.min(starts, MAX_START) * PER_START;
    return { first: start + 1, last: start + PER_START - 1 };
  }
  const start = base + Math.min(starts, MAX_FETCHING_START) * PER_FETCHING_START;
  return { first: start, last: start + PER_FETCHING_START - 1 };
}

/** Describes one start of a job of a run. */
export interface JobStart {
  /** Number of starts of the job, including this one. */
  readonly starts: number;
  /** Number of times that the job was lost and enqueued again (`SyncJob.repeat`). Absent: 0. */
  readonly repeat?: number | undefined;
  readonly phase: RunPhase;
}
