import { AttemptFailed, GiveUp, REASONS, TryLater, type JobPayloads, type QueueContract } from '@quarry/contracts';
import { waitAfter } from './backoff.js';
import type { FailureReason, Handlers, JobContext, JobFailure, ReadableJob, UnreadableJob } from './handlers.js';
import type { ConsumerOptions } from './queues.js';
import { readJob, retryOf, type FoundJob } from './read-job.js';

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
  /** Run it again after the contract's backoff, which is `delayMs`; this was an attempt. */
  | { readonly kind: 'retry'; readonly error: unknown; readonly delayMs: number }
  /** Run it again after the wait; this was no attempt. */
  | { readonly kind: 'later'; readonly delayMs: number }
  /** Let another process run it at once; this was no attempt. */
  | { readonly kind: 'hand-back' };

export interface JobRunner<Jobs extends JobPayloads> {
  readonly contract: QueueContract<Jobs>;
  readonly handlers: Handlers<Jobs>;
  readonly onFailed: ConsumerOptions<Jobs>['onFailed'];
  readonly onRetry: ConsumerOptions<Jobs>['onRetry'];
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
    if (error instanceof TryLater) return putBack(runner, job, error, context);
    // Whatever an aborted run says may come from being aborted, and the job is run anew.
    if (context.signal.aborted) return { kind: 'hand-back' };
    if (error instanceof GiveUp) return fail({ code: String(error.code), message: error.message });
    if (context.lastAttempt) return fail(lastReason(error));
    return retry(runner, job, error, context);
  }
}

async function putBack<Jobs extends JobPayloads>(
  runner: JobRunner<Jobs>,
  job: ReadableJob<Jobs> | UnreadableJob,
  error: TryLater,
  context: JobContext,
): Promise<Outcome> {
  const { delayMs, code, message, cause } = error;
  if (cause !== undefined) context.log.warn({ err: error, delayMs }, 'the job waits: a dependency failed');
  if (code !== undefined) await reportRetry(runner, job, { code, message, delayMs }, context);
  return { kind: 'later', delayMs };
}

async function retry<Jobs extends JobPayloads>(
  runner: JobRunner<Jobs>,
  job: ReadableJob<Jobs> | UnreadableJob,
  error: unknown,
  context: JobContext,
): Promise<Outcome> {
  context.log.warn({ err: error, attempt: context.attempt }, 'an attempt of the job failed: it is retried');
  const backoff = retryOf(runner.contract, job.name)?.backoff;
  const delayMs = backoff === undefined ? 0 : waitAfter(backoff, context.attempt, Math.random());
  await reportRetry(runner, job, { ...attemptReason(error), delayMs }, context);
  return { kind: 'retry', error, delayMs };
}

/** A failure to report costs nobody anything: the job is put back in any case. */
async function reportRetry<Jobs extends JobPayloads>(
  { onRetry }: JobRunner<Jobs>,
  job: ReadableJob<Jobs> | UnreadableJob,
  { delayMs, ...reason }: FailureReason & { readonly delayMs: number },
  context: JobContext,
): Promise<void> {
  if (!job.readable || onRetry === undefined || context.signal.aborted) return;
  try {
    await onRetry({ ...job, reason, nextAttemptAt: new Date(Date.now() + delayMs) }, context);
  } catch (error) {
    context.log.warn({ err: error }, 'that the job is retried could not be reported');
  }
}

/** What no class marks as fit for users is kept from them. It is logged. */
function attemptReason(error: unknown): FailureReason {
  if (error instanceof AttemptFailed) return { code: String(error.code), message: error.message };
  return { code: 'internal_error', message: REASONS.internal_error };
}

function lastReason(error: unknown): FailureReason {
  if (error instanceof AttemptFailed) return { code: String(error.code), message: error.message };
  return { code: 'attempts_exhausted', message: messageOf(error) };
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
