import type { QueueDepth } from '@quarry/queue';

/**
 * Minimum number of jobs that may wait in a queue, even if no consumer is connected, such as before the first worker
 * starts.
 */
const MIN_WINDOW = 8;
/**
 * Number of dispatcher rounds for which the waiting jobs must keep the workers busy, so that fast workers never wait
 * for the dispatcher. More than one round, because jobs also end while a round publishes new jobs.
 */
const BUFFER_ROUNDS = 4 / 3;
/** Minimum time for which the waiting jobs of a queue are to keep the workers busy, in seconds. */
const MIN_BUFFER_SECONDS = 0.4;
/**
 * Maximum time for which the waiting jobs of a queue are to keep the workers busy, in seconds. A longer time would
 * delay single uploads, which start after the jobs that already wait in the queue.
 */
const MAX_BUFFER_SECONDS = 0.8;
/** Weight of the latest measurement in the moving averages, from 0 to 1. */
const SMOOTHING = 0.3;
/** Minimum time between two measurements of a queue, in milliseconds. Shorter measurements are too inaccurate. */
const MIN_MEASURED_MS = 20;
/**
 * Time constant of the measured throughput, in seconds. A measurement of this age has about a third of the weight of a
 * new measurement.
 */
const MEMORY_SECONDS = 120;
/**
 * Maximum time between two measurements that count for the throughput, in seconds. During a longer time, the queue may
 * have been empty.
 */
const MAX_MEASURED_SECONDS = 10;

/**
 * Number of delayed jobs at which a queue receives no further jobs. Delayed jobs have failed or were postponed, and do
 * not count as waiting jobs. Without a limit, an outage would move the whole outbox to the queue.
 */
export const MAX_DELAYED = 2_000;

type Load = Pick<QueueDepth, 'waiting' | 'active' | 'delayed'>;

/** The measured throughput of a queue, as JSON. */
export interface Throughput {
  /** Time of the latest measurement, in milliseconds since 1970-01-01. */
  readonly atMs: number;
  /** Number of unfinished jobs in the queue after the latest publication. */
  readonly jobs: number;
  /** Moving average of the number of jobs that end per second. */
  readonly rate: number;
  /**
   * Moving average of the time between two measurements of a full queue, in seconds. Absent if a gateway of an earlier
   * version stored the measurement.
   */
  readonly roundSeconds?: number;
  /**
   * True if the latest publication filled the queue. In this case, the workers and not the arrival of jobs determine
   * the rate at which jobs end.
   */
  readonly isFull: boolean;
  /** Number of jobs that ended while the queue was full. Older measurements have less weight. */
  readonly ended: number;
  /** Measured time for which the queue was full, in seconds. Older measurements have less weight. */
  readonly seconds: number;
}

/**
 * Computes how many jobs may wait in a queue, from the capacity of its consumers and the rate at which the consumers
 * finish jobs.
 */
export class QueueWindow {
  readonly #minWindow: number;
  #throughput: Throughput | undefined;

  /**
   * @param minWindow number of jobs that may always wait in the queue
   * @param throughput the earlier measurements with which the moving averages continue
   */
  constructor(minWindow = MIN_WINDOW, throughput?: Throughput) {
    this.#minWindow = minWindow;
    this.#throughput = throughput;
  }

  /**
   * Returns the number of jobs that can be added to the queue.
   *
   * @param atMs the time at which `load` was measured, in milliseconds
   */
  getFreePlaces(load: Load, capacity: number, atMs: number): number {
    this.#throughput = measureThroughput(this.#throughput, countUnfinishedJobs(load), atMs);
    const size = Math.max(this.#minWindow, capacity) + computeBufferSize(this.#throughput);
    return load.delayed >= MAX_DELAYED ? 0 : Math.max(0, size - load.waiting);
  }

  /**
   * Records the number of jobs that were published after `getFreePlaces` measured the queue.
   *
   * @param isFull true if the published jobs have filled the queue
   * @returns the measurements, with which another `QueueWindow` can continue
   */
  recordPublishedJobs(jobs: number, isFull = false): Throughput {
    const measured = this.#throughput ?? { ...NOT_MEASURED, atMs: 0, jobs: 0 };
    this.#throughput = { ...measured, jobs: measured.jobs + jobs, isFull };
    return this.#throughput;
  }
}

const NOT_MEASURED = { rate: 0, roundSeconds: 0, isFull: false, ended: 0, seconds: 0 };

/** Returns the expected number of jobs that end before the next dispatcher round. A busy machine delays rounds. */
function computeBufferSize({ rate, roundSeconds = 0 }: Throughput): number {
  const seconds = Math.max(MIN_BUFFER_SECONDS, Math.min(MAX_BUFFER_SECONDS, roundSeconds * BUFFER_ROUNDS));
  return Math.ceil(rate * seconds);
}

/**
 * Updates the throughput of a queue with a new measurement.
 *
 * @param jobs the number of unfinished jobs in the queue at the time `atMs`
 */
function measureThroughput(last: Throughput | undefined, jobs: number, atMs: number): Throughput {
  // After a failover, the clock of the new database server may be behind, so the measurements start again.
  if (last === undefined || atMs < last.atMs) return { ...NOT_MEASURED, atMs, jobs };
  if (atMs - last.atMs < MIN_MEASURED_MS) return last;
  const seconds = (atMs - last.atMs) / 1000;
  const ended = Math.max(0, last.jobs - jobs);
  const { roundSeconds: lastRound = 0 } = last;
  const rate = last.rate + SMOOTHING * (ended / seconds - last.rate);
  const weight = Math.exp(-seconds / MEMORY_SECONDS);
  const isCounted = last.isFull && seconds <= MAX_MEASURED_SECONDS;
  return {
    ...{ atMs, jobs, rate, isFull: false },
    roundSeconds: isCounted ? lastRound + SMOOTHING * (seconds - lastRound) : lastRound,
    ended: last.ended * weight + (isCounted ? ended : 0),
    seconds: last.seconds * weight + (isCounted ? seconds : 0),
  };
}

function countUnfinishedJobs({ waiting, active, delayed }: Load): number {
  return waiting + active + delayed;
}

/** Minimum number of ended jobs from which a throughput is computed. */
const MIN_ENDED = 2;
/** Minimum measured time from which a throughput is computed, in seconds. */
const MIN_SECONDS = 1;

/**
 * Returns the number of jobs per second that the workers of a full queue finish. Undefined if too few jobs ended
 * recently, or if the measured time is too short.
 */
export function getJobsPerSecond({ ended, seconds }: Throughput): number | undefined {
  return ended < MIN_ENDED || seconds < MIN_SECONDS ? undefined : ended / seconds;
}
