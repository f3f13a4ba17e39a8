import { computeDesiredReplicas, PodAutoscaler, SYNC_SECONDS } from './pod-autoscaler.js';
import { compileScalerFormula, type JobCounts, type JobScaler } from './read-scalers.js';

/** A job that arrives during the simulated time. */
export interface SimulatedJob {
  /** Time at which the job arrives, in seconds since the start of the simulation. */
  readonly at: number;
  /** Duration of the job on a pod, in seconds. */
  readonly seconds: number;
}

/** Holds the results of a simulation. */
export interface JobSimulation {
  /** Longest time that a job waited while the number of pods was below its maximum, in seconds. */
  readonly longestWait: number;
  /** Number of times that the autoscaler added pods within `FLAP_SECONDS` after a removal of pods. */
  readonly flaps: number;
  /** Largest number of running jobs for which the remaining pods had no capacity after a removal of pods. */
  readonly displacedJobs: number;
  /** Maximum number of times that the same job was returned to the queue because its pod was removed. */
  readonly mostReturns: number;
  readonly maxReplicas: number;
  readonly finished: number;
}

/** Step of the simulation in seconds. The intervals of KEDA and of the autoscaler must be multiples of this step. */
const STEP_SECONDS = 5;
/**
 * Time from the creation of a pod to its first job, in seconds: scheduling, start of the container, connection to its
 * servers.
 */
const POD_START_SECONDS = 45;
/** Time in seconds after a removal of pods during which an addition of pods counts as a flap. */
export const FLAP_SECONDS = 600;
/** Number of jobs that the dispatcher publishes to a queue even if the pods can run fewer jobs at once. */
const MIN_WINDOW = 8;

interface Running {
  remaining: number;
  waited: number;
  returns: number;
}

interface Pod {
  readonly readyAt: number;
  readonly running: Running[];
}

/** Simulates the pods of a worker, the queue that they share, and the autoscaler that adds and removes pods. */
class SimulatedWorkers {
  readonly #scaler: JobScaler;
  readonly #autoscaler: PodAutoscaler;
  readonly #evaluate: (counts: JobCounts) => number;
  readonly #pods: Pod[] = [];
  readonly #waiting: Running[] = [];
  #activeAt = -Infinity;
  #removedAt = -Infinity;
  longestWait = 0;
  flaps = 0;
  displacedJobs = 0;
  mostReturns = 0;
  maxReplicas = 0;
  finished = 0;

  constructor(scaler: JobScaler) {
    this.#scaler = scaler;
    this.#evaluate = compileScalerFormula(scaler);
    this.#autoscaler = new PodAutoscaler(scaler.limits);
    this.#setReplicas(-Infinity, scaler.minReplicas);
  }

  get isIdle(): boolean {
    return this.#waiting.length === 0 && this.#countRunning() === 0;
  }

  addJob({ seconds }: SimulatedJob): void {
    this.#waiting.push({ remaining: seconds, waited: 0, returns: 0 });
  }

  /** Runs the jobs for `STEP_SECONDS`, ends those that are complete, and starts waiting jobs. */
  runJobsForOneStep(at: number): void {
    const isBelowMaximum = this.#pods.length < this.#scaler.limits.max;
    for (const job of this.#waiting) {
      if (isBelowMaximum) job.waited += STEP_SECONDS;
      this.longestWait = Math.max(this.longestWait, job.waited);
    }
    for (const { running } of this.#pods) {
      for (const job of running) job.remaining -= STEP_SECONDS;
      const done = running.filter(({ remaining }) => remaining <= 0);
      for (const job of done) running.splice(running.indexOf(job), 1);
      this.finished += done.length;
    }
    this.#startJobs(at);
  }

  /** Changes the number of pods as KEDA and the autoscaler decide at the simulated time `at`. */
  scalePods(at: number): void {
    const value = this.#evaluate(this.#countJobs());
    const { pollingSeconds, cooldownSeconds, minReplicas, target } = this.#scaler;
    if (at % pollingSeconds === 0) {
      if (value > 0) {
        this.#activeAt = at;
        if (this.#pods.length === 0) this.#setReplicas(at, Math.max(1, minReplicas));
      } else if (minReplicas === 0 && at - this.#activeAt >= cooldownSeconds) {
        this.#setReplicas(at, 0);
      }
    }
    const current = this.#pods.length;
    // The autoscaler is inactive while there are no pods.
    if (at % SYNC_SECONDS !== 0 || current === 0) return;
    const desired = computeDesiredReplicas(current, value / (target * current));
    this.#setReplicas(at, this.#autoscaler.computeReplicas(at, current, desired));
  }

  /**
   * Counts the jobs in the backlog and in the queue, as the triggers of the scaler do. The queue contains at most as
   * many jobs as the pods can run at once, or `MIN_WINDOW` if that is more. The dispatcher leaves the other jobs in the
   * backlog.
   */
  #countJobs(): JobCounts {
    const capacity = this.#pods.length * this.#scaler.concurrency;
    const waiting = Math.min(this.#waiting.length, Math.max(MIN_WINDOW, capacity));
    return {
      ...{ backlog: this.#waiting.length - waiting, waiting, active: this.#countRunning() },
      ...{ prioritized: 0, delayed: 0, pictures: 0 },
    };
  }

  #countRunning(): number {
    return this.#pods.reduce((sum, { running }) => sum + running.length, 0);
  }

  /** Starts waiting jobs, each on the pod with the fewest jobs, so that long jobs are spread over all pods. */
  #startJobs(at: number): void {
    const ready = this.#pods.filter(({ readyAt }) => readyAt <= at);
    while (this.#waiting.length > 0) {
      const [pod] = ready.toSorted((a, b) => a.running.length - b.running.length);
      if (pod === undefined || pod.running.length >= this.#scaler.concurrency) return;
      const job = this.#waiting.shift();
      if (job !== undefined) pod.running.push(job);
    }
  }

  /**
   * Changes the number of pods. Removes the newest pods first, as Kubernetes does, and returns their jobs to the queue.
   */
  #setReplicas(at: number, replicas: number): void {
    if (replicas > this.#pods.length && at - this.#removedAt <= FLAP_SECONDS) {
      this.flaps += 1;
      this.#removedAt = -Infinity;
    }
    if (replicas < this.#pods.length) {
      const displaced = this.#countRunning() - replicas * this.#scaler.concurrency;
      this.displacedJobs = Math.max(this.displacedJobs, displaced);
      this.#removedAt = at;
    }
    while (this.#pods.length < replicas) this.#pods.push({ readyAt: at + POD_START_SECONDS, running: [] });
    for (const { running } of this.#pods.splice(replicas)) {
      for (const job of running) {
        job.returns += 1;
        this.mostReturns = Math.max(this.mostReturns, job.returns);
      }
      this.#waiting.unshift(...running);
    }
    this.maxReplicas = Math.max(this.maxReplicas, replicas);
  }
}

/** Maximum time for which a simulation continues after its last job has arrived, in simulated seconds. */
const MAX_REMAINING_SECONDS = 24 * 3_600;

/**
 * Simulates a worker that `scaler` scales while jobs arrive. Ends when all jobs have run, or `MAX_REMAINING_SECONDS`
 * have passed since the last arrival.
 */
export function simulateJobs(scaler: JobScaler, jobs: readonly SimulatedJob[]): JobSimulation {
  const workers = new SimulatedWorkers(scaler);
  const arriving = jobs.toSorted((a, b) => a.at - b.at);
  const end = (arriving.at(-1)?.at ?? 0) + MAX_REMAINING_SECONDS;
  let next = 0;
  for (let at = 0; at < end && (next < arriving.length || !workers.isIdle); at += STEP_SECONDS) {
    for (let job = arriving[next]; job !== undefined && job.at <= at; job = arriving[next]) {
      workers.addJob(job);
      next += 1;
    }
    workers.runJobsForOneStep(at);
    workers.scalePods(at);
  }
  const { longestWait, flaps, displacedJobs, mostReturns, maxReplicas, finished } = workers;
  return { longestWait, flaps, displacedJobs, mostReturns, maxReplicas, finished };
}
