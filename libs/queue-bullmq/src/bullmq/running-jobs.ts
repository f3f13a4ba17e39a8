import type { JobPayloads } from '@quarry/contracts';
import { DelayedError, UnrecoverableError, WaitingError } from 'bullmq';
import {
  toErrorWithCleanText,
  replaceUnstorableCharacters,
  type JobContext,
  type JobWatch,
  OwnerSlots,
  type QueueLog,
  getRetrySettings,
  runJob,
  type JobRunner,
  type Outcome,
  type StartedJob,
} from '@quarry/queue';
import { countPostponements, findStoredFailure, recordPostponement, storeFailureInJob } from './stored-progress.js';
import type { BullJob } from './queue-server.js';

interface RunningJob {
  readonly job: BullJob;
  readonly token: string | undefined;
  readonly abort: AbortController;
  /** True if another process runs the job now or will run it soon. This process then records no outcome of the job. */
  isTakenOver: boolean;
}

/**
 * Reports a failed attempt to BullMQ. BullMQ delays the retry by `delayMs`, so that the retry starts at the time that
 * was passed to `onRetry`.
 */
export class RetriedAttempt extends Error {
  readonly delayMs: number;

  constructor(error: unknown, delayMs: number) {
    const { message, stack, cause } = toErrorWithCleanText(error);
    super(message, { cause });
    if (stack !== undefined) this.stack = stack;
    this.delayMs = delayMs;
  }
}

export interface RunningJobsOptions {
  /**
   * Number of jobs that the worker runs at the same time. The jobs of one owner get at most a share of this number
   * (`OwnerShare`). Default: no limit.
   */
  readonly concurrency?: number;
  readonly watch?: JobWatch | undefined;
}

/** Runs the jobs that a BullMQ worker fetches, and converts their outcomes to the errors that BullMQ expects. */
export class RunningJobs<Jobs extends JobPayloads> {
  readonly #runner: JobRunner<Jobs>;
  readonly #log: QueueLog;
  readonly #watch: JobWatch | undefined;
  readonly #slots: OwnerSlots;
  readonly #running = new Set<RunningJob>();
  readonly #waiters: (() => void)[] = [];
  #isStopping = false;

  constructor(runner: JobRunner<Jobs>, log: QueueLog, { concurrency = Infinity, watch }: RunningJobsOptions = {}) {
    this.#runner = runner;
    this.#log = log;
    this.#watch = watch;
    this.#slots = new OwnerSlots(runner.contract, concurrency);
  }

  /**
   * Runs a job that BullMQ has fetched.
   *
   * @throws if the job is not done. The type of the error determines whether BullMQ retries, delays or fails the job.
   */
  async runFetchedJob(job: BullJob, token: string | undefined): Promise<void> {
    const running: RunningJob = { job, token, abort: new AbortController(), isTakenOver: false };
    if (this.#isStopping) return this.#recordOutcome(running, { kind: 'hand-back' });
    const admission = this.#slots.admitOrPostpone(job, Date.now() - job.timestamp);
    if (admission.kind === 'postponed') return this.#postponeStart(running, admission.delayMs);
    this.#running.add(running);
    const start = { queue: this.#runner.contract.name, job: job.name };
    const startedAt = performance.now();
    this.#watch?.recordStart(start);
    try {
      const outcome = await runJob(this.#runner, createStartedJob(job), this.#createContext(running));
      this.#watch?.recordEnd({ ...start, outcome: outcome.kind, seconds: (performance.now() - startedAt) / 1_000 });
      await this.#recordOutcome(running, outcome);
    } finally {
      admission.release();
      this.#running.delete(running);
      if (this.#running.size === 0) for (const wake of this.#waiters.splice(0)) wake();
    }
  }

  /** Stops running newly fetched jobs: from now on, `runFetchedJob` returns each of them to the queue. */
  stopAccepting(): void {
    this.#isStopping = true;
  }

  async waitUntilIdle(): Promise<void> {
    if (this.#running.size > 0) await new Promise<void>((wake) => this.#waiters.push(wake));
  }

  abortAll(reason: Error): void {
    for (const { abort } of this.#running) abort.abort(reason);
  }

  /** Returns the running jobs to the queue, so that other processes run them. */
  async returnAllToQueue(): Promise<void> {
    await Promise.all([...this.#running].map((running) => this.#returnToQueue(running)));
  }

  abortLostJob(id: string): void {
    for (const running of this.#running) {
      if (running.job.id !== id) continue;
      running.isTakenOver = true;
      running.abort.abort(
        new Error(`job ${id} was taken over by another process: this process did not renew its lock in time`),
      );
    }
  }

  async #recordOutcome(running: RunningJob, outcome: Outcome): Promise<void> {
    if (running.isTakenOver) throw new DelayedError();
    switch (outcome.kind) {
      case 'done':
        return;
      case 'retry':
        throw new RetriedAttempt(outcome.error, Math.ceil(outcome.delayMs));
      case 'failed':
        throw new UnrecoverableError(replaceUnstorableCharacters(outcome.reason.message));
      case 'later':
        await this.#moveJobOrWarn(running, () => delayJob(running, outcome.delayMs));
        throw new DelayedError();
      case 'hand-back':
        await this.#returnToQueue(running);
        throw new WaitingError();
    }
  }

  async #postponeStart(running: RunningJob, delayMs: number): Promise<never> {
    await this.#moveJobOrWarn(running, async () => {
      await recordPostponement(running.job);
      await delayJob(running, delayMs);
    });
    throw new DelayedError();
  }

  async #returnToQueue(running: RunningJob): Promise<void> {
    running.isTakenOver = true;
    await this.#moveJobOrWarn(running, () => running.job.moveToWait(running.token));
  }

  /**
   * Calls `move`, which moves a job to another state. If `move` fails, logs a warning: the job stays locked by this
   * process, and another process takes it over when the lock expires.
   */
  async #moveJobOrWarn({ job }: RunningJob, move: () => Promise<unknown>): Promise<void> {
    try {
      await move();
    } catch (error) {
      this.#log.warn(
        { err: error, jobId: job.id },
        'the job could not be moved back to the queue, so another process takes it over when its lock expires',
      );
    }
  }

  #createContext({ job, abort }: RunningJob): JobContext {
    const attempts = getRetrySettings(this.#runner.contract, job.name)?.attempts ?? 1;
    const attempt = job.attemptsMade + 1;
    return {
      id: job.id ?? '',
      attempt,
      lastAttempt: attempt >= attempts,
      starts: job.attemptsStarted - countPostponements(job),
      signal: abort.signal,
      log: this.#log.child({ jobId: job.id, job: job.name, attempt }),
    };
  }
}

async function delayJob({ job, token }: RunningJob, delayMs: number): Promise<void> {
  // PostgreSQL accepts no fraction of a millisecond.
  await job.moveToDelayed(Date.now() + Math.ceil(delayMs), token);
}

function createStartedJob(job: BullJob): StartedJob {
  return {
    name: job.name,
    data: job.data,
    stalls: job.stalledCounter,
    failure: findStoredFailure(job),
    storeFailure: (reason) => storeFailureInJob(job, reason),
  };
}
