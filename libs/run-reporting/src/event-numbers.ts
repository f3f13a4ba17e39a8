/** The sequence numbers of the events that one start of a job may emit, both ends included. */
export interface EventNumbers {
  readonly first: number;
  /** Kept for the final event, so that it is newer than every other event of this start. */
  readonly last: number;
}

/**
 * The part of a run that a job does.
 *
 * - `fetching-one`: the job fetches the one document of the run, and another job indexes it.
 * - `whole`: every other job.
 */
export type RunPhase = 'fetching-one' | 'whole';

const PER_START = 10_000;
const PER_FETCHING_START = 100;
const MAX_FETCHING_START = PER_START / PER_FETCHING_START - 1;

/**
 * Returns the sequence numbers for one start of a job. This is the contract between all jobs of a run: the gateway ignores an
 * event whose number is not greater than the last one that it accepted.
 *
 * - A later start of a job has greater numbers than an earlier one.
 * - The job that indexes a document has greater numbers (from 10,000) than the job that fetches it (below 10,000).
 *
 * @param starts how often the job was started, this time included
 */
export function eventNumbers(starts: number, phase: RunPhase): EventNumbers {
  if (phase === 'whole') return { first: starts * PER_START + 1, last: (starts + 1) * PER_START - 1 };
  const start = Math.min(starts, MAX_FETCHING_START);
  return { first: start * PER_FETCHING_START, last: (start + 1) * PER_FETCHING_START - 1 };
}
