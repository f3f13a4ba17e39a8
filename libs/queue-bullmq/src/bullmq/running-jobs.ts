import type { JobPayloads } from '@quarry/contracts';
import { DelayedError, UnrecoverableError, WaitingError } from 'bullmq';
import {
  cleanError,
  cleanText,
  type JobContext,
  type JobWatch,
  type QueueLog,
  retryOf,
  runJob,
  type JobRunner,
  type Outcome,
  type StartedJob,
} from '@quarry/queue';
import { keepFailure, keptFailure } from './kept-failure.js';
import type { BullJob } from './queue-server.js';

interface RunningJob {
  readonly job: BullJob;
  readonly token: string | undefined;
  readonly abort: AbortController;
  /** Whether the queue has given the job to another process, or will: its outcome is not ours to record any more. */
  gone: boolean;
}

/** Fails an attempt in BullMQ, whose backoff strategy reads the delay: the job comes back when it was reported to. */
export class RetriedAttempt extends Error {
  readonly delayMs: number;

  constructor(error: unknown, delayMs: number) {
    const { message, stack, cause } = cleanError(error);
    super(message, { cause });
    if (stack !== undefined) this.stack = stack;
    this.delayMs = delayMs;
  }
}

/** The jobs that a worker runs now, and how their outcomes become BullMQ's. */
export class RunningJobs<Jobs extends JobPayloads> {
  readonly #runner: JobRunner<Jobs>;
  readonly #log: QueueLog;
  readonly #watch: JobWatch | undefined;
  readonly #running = new Set<RunningJob>();
  readonly #waiters: (() => void)[] = [];
  #refusing = false;

  constructor(runner: JobRunner<Jobs>, log: QueueLog, watch?: JobWatch) {
    this.#runner = runner;
    this.#log = log;
    this.#watch = watch;
  }

  /** What BullMQ calls with each job that it starts. What it throws tells BullMQ what becomes of the job. */
  async process(job: BullJob, token: string | undefined): Promise<void> {
    const running: RunningJob = { job, token, abort: new AbortController(), gone: false };
    if (this.#refusing) return this.#record(running, { kind: 'hand-back' });
    this.#running.add(running);
    const start = { queue: this.#runner.contract.name, job: job.name };
    const begun = performance.now();
    this.#watch?.started(start);
    try {
      const outcome = await runJob(this.#runner, started(job), this.#contextOf(running));
      this.#watch?.ended({ ...start, outcome: outcome.kind, seconds: (performance.now() - begun) / 1_000 });
      await this.#record(running, outcome);
    } finally {
      this.#running.delete(running);
      if (this.#running.size === 0) for (const wake of this.#waiters.splice(0)) wake();
    }
  }

  /** Jobs that BullMQ starts from now on go back to the queue. */
  refuse(): void {
    this.#refusing = true;
  }

  async idle(): Promise<void> {
    if (this.#running.size > 0) await new Promise<void>((wake) => this.#waiters.push(wake));
  }

  abortAll(reason: Error): void {
    for (const { abort } of this.#running) abort.abort(reason);
  }

  /** Gives the jobs that still run to other processes. */
  async handBackAll(): Promise<void> {
    await Promise.all([...this.#running].map((running) => this.#handBack(running)));
  }

  lockLost(id: string): void {
    for (const running of this.#running) {
      if (running.job.id !== id) continue;
      running.gone = true;
      running.abort.abort(new Error(`job ${id} was taken over elsewhere: this process did not answer for it in time`));
    }
  }

  async #record(running: RunningJob, outcome: Outcome): Promise<void> {
    if (running.gone) throw new DelayedError();
    switch (outcome.kind) {
      case 'done':
        return;
      case 'retry':
        throw new RetriedAttempt(outcome.error, outcome.delayMs);
      case 'failed':
        throw new UnrecoverableError(cleanText(outcome.reason.message));
      case 'later':
        await this.#move(running, () => running.job.moveToDelayed(Date.now() + outcome.delayMs, running.token));
        throw new DelayedError();
      case 'hand-back':
        await this.#handBack(running);
        throw new WaitingError();
    }
  }

  async #handBack(running: RunningJob): Promise<void> {
    running.gone = true;
    await this.#move(running, () => running.job.moveToWait(running.token));
  }

  /** A job that cannot be moved stays with this process until its lock runs out, and is taken over then. */
  async #move({ job }: RunningJob, move: () => Promise<unknown>): Promise<void> {
    try {
      await move();
    } catch (error) {
      this.#log.warn(
        { err: error, jobId: job.id },
        'a job could not be put back: it is taken over when its lock runs out',
      );
    }
  }

  #contextOf({ job, abort }: RunningJob): JobContext {
    const attempts = retryOf(this.#runner.contract, job.name)?.attempts ?? 1;
    const attempt = job.attemptsMade + 1;
    return {
      id: job.id ?? '',
      attempt,
      lastAttempt: attempt >= attempts,
      starts: job.attemptsStarted,
      signal: abort.signal,
      log: this.#log.child({ jobId: job.id, job: job.name, attempt }),
    };
  }
}

function started(job: BullJob): StartedJob {
  return {
    name: job.name,
    data: job.data,
    stalls: job.stalledCounter,
    failure: keptFailure(job),
    keepFailure: (reason) => keepFailure(job, reason),
  };
}
