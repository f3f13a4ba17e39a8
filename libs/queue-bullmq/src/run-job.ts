import { GiveUp, TryLater, type JobPayloads, type QueueContract } from '@quarry/contracts';
import type { FailureReason, Handlers, JobContext, JobFailure, ReadableJob, UnreadableJob } from './handlers.js';
import type { ConsumerOptions } from './queues.js';
import { readJob, type FoundJob } from './read-job.js';

/** A job that a queue has started. */
export interface StartedJob extends FoundJob {
  /** How often it was taken over from a process that died. */
  readonly stalls: number;
  /** What an earlier start kept by `keepFailure`. */
  readonly failure: FailureReason | undefined;
  /** Keeps with the job that it has failed for good, should this process die before the queue knows. */
  keepFailure(reason: FailureReason): Promise<void>;
}

/** What a queue does with a job that ran. */
export type Outcome =
  | { readonly kind: 'done' }
  | { readonly kind: 'failed'; readonly reason: FailureReason }
  /** Run it again after the contract's backoff; this was an attempt. */
  | { readonly kind: 'retry'; readonly error: unknown }
  /** Run it again after the wait; this was no attempt. */
  | { readonly kind: 'later'; readonly delayMs: number }
  /** Let another process run it at once; this was no attempt. */
  | { readonly kind: 'hand-back' };

export interface JobRunner<Jobs extends JobPayloads> {
  readonly contract: QueueContract<Jobs>;
  readonly handlers: Handlers<Jobs>;
  readonly onFailed: ConsumerOptions<Jobs>['onFailed'];
  /** More takeovers than this, and the job is held to be what kills the processes. */
  readonly maxStalls: number;
  /** How long to wait before `onFailed` is called again after it threw. */
  readonly hookRetryMs: number;
}

/**
 * Runs a job once. Never throws.
 *
 * A job fails for good here and nowhere else: the queue itself is given no limit of attempts or stalls. So every failure takes
 * the same road, each step of which can be gone again after the process has died on it:
 *
 * 1. the reason is kept with the job, so that a later start does not run the handler again and think otherwise;
 * 2. `onFailed` is called;
 * 3. the queue records the failure.
 *
 * Killed before 3, the job is taken over as any other, its reason is found, and the road goes on at 2: `onFailed` is called at
 * least once. When it throws, the job waits and comes back to it; that costs nothing and has no limit.
 */
export async function runJob<Jobs extends JobPayloads>(
  runner: JobRunner<Jobs>,
  started: StartedJob,
  context: JobContext,
): Promise<Outcome> {
  const job = readJob(runner.contract, started);
  const fail = (reason: FailureReason): Promise<Outcome> => failForGood(runner, started, { ...job, reason }, context);

  const early = started.failure ?? reasonNotToStart(runner, started, job);
  if (early !== undefined) return fail(early);
  try {
    if (job.readable) await handle(runner.handlers, job, context);
    return { kind: 'done' };
  } catch (error) {
    if (error instanceof TryLater) {
      if (error.cause !== undefined)
        context.log.warn({ err: error, delayMs: error.delayMs }, 'the job waits: a dependency failed');
      return { kind: 'later', delayMs: error.delayMs };
    }
    // Whatever an aborted run says may come from being aborted, and the job is run anew.
    if (context.signal.aborted) return { kind: 'hand-back' };
    if (error instanceof GiveUp) return fail({ code: String(error.code), message: error.message });
    if (context.lastAttempt) return fail({ code: 'attempts_exhausted', message: messageOf(error) });
    context.log.warn({ err: error, attempt: context.attempt }, 'an attempt of the job failed: it is retried');
    return { kind: 'retry', error };
  }
}

function reasonNotToStart<Jobs extends JobPayloads>(
  { maxStalls }: JobRunner<Jobs>,
  { stalls }: StartedJob,
  job: ReadableJob<Jobs> | UnreadableJob,
): FailureReason | undefined {
  if (!job.readable) return { code: 'payload_unreadable', message: job.problem };
  if (stalls <= maxStalls) return undefined;
  return { code: 'stalled_too_often', message: `the process that ran the job died or hung ${stalls} times` };
}

async function handle<Jobs extends JobPayloads, Name extends keyof Jobs & string>(
  handlers: Handlers<Jobs>,
  job: ReadableJob<Jobs, Name>,
  context: JobContext,
): Promise<void> {
  await handlers[job.name](job.payload, context);
}

async function failForGood<Jobs extends JobPayloads>(
  runner: JobRunner<Jobs>,
  started: StartedJob,
  failure: JobFailure<Jobs>,
  context: JobContext,
): Promise<Outcome> {
  try {
    if (started.failure === undefined) await started.keepFailure(failure.reason);
    await runner.onFailed?.(failure, context);
    return { kind: 'failed', reason: failure.reason };
  } catch (error) {
    context.log.error({ err: error, reason: failure.reason }, 'a failed job could not be settled: trying again later');
    return { kind: 'later', delayMs: runner.hookRetryMs };
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
