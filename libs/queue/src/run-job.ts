import { AttemptFailed, GiveUp, REASONS, TryLater, type JobPayloads, type QueueContract } from '@quarry/contracts';
import { computeBackoff } from './backoff.js';
import { buildErrorFields } from './error-fields.js';
import type { FailureReason, Handlers, JobContext, JobFailure, ReadableJob, UnreadableJob } from './handlers.js';
import type { ConsumerOptions } from './queues.js';
import { readJob, getRetrySettings, type RawJob } from './read-job.js';

/** Describes one start of a job. */
export interface StartedJob extends RawJob {
  /** Number of times that the job was taken over from a process that died or hung. */
  readonly stalls: number;
  /** The failure that an earlier start of the job stored with `storeFailure`. Undefined: no failure is stored. */
  readonly failure: FailureReason | undefined;
  /** Stores a permanent failure with the job, because this process may die before the queue records the failure. */
  storeFailure(reason: FailureReason): Promise<void>;
}

/** Describes what the queue must do with a job after a start of the job. */
export type Outcome =
  | { readonly kind: 'done' }
  | { readonly kind: 'failed'; readonly reason: FailureReason }
  /** The queue runs the job again after `delayMs`, the backoff of the contract. The start counts as an attempt. */
  | { readonly kind: 'retry'; readonly error: unknown; readonly delayMs: number }
  /** The queue runs the job again after `delayMs`. The start does not count as an attempt. */
  | { readonly kind: 'later'; readonly delayMs: number }
  /**
   * Another process runs the job without a delay, because this process must end or has lost the job to a takeover. The
   * start does not count as an attempt.
   */
  | { readonly kind: 'hand-back' };

export interface JobRunner<Jobs extends JobPayloads> {
  readonly contract: QueueContract<Jobs>;
  readonly handlers: Handlers<Jobs>;
  readonly onFailed: ConsumerOptions<Jobs>['onFailed'];
  readonly onRetry: ConsumerOptions<Jobs>['onRetry'];
  /**
   * Maximum number of takeovers of a job. After more takeovers the job fails, because it is assumed to crash the
   * processes that run it.
   */
  readonly maxStalls: number;
  /** Delay in milliseconds after which `onFailed` is called again if it has thrown an error. */
  readonly hookRetryMs: number;
}

/**
 * Runs a job once, and returns what the queue must do next. Never throws.
 *
 * Only this function fails a job permanently: the queue itself has no limit of attempts or takeovers. Every failure
 * takes these steps, and each step can be repeated after the process has died:
 *
 * 1. The failure is stored with the job, so that a later start does not run the handler again.
 * 2. `onFailed` is called.
 * 3. The queue records the failure.
 *
 * If the process dies between steps 1 and 3, another process takes over the job, finds the stored failure, and
 * continues with step 2. `onFailed` is therefore called at least once. If it throws, step 2 is repeated after
 * `hookRetryMs`, without a limit.
 */
export async function runJob<Jobs extends JobPayloads>(
  runner: JobRunner<Jobs>,
  started: StartedJob,
  context: JobContext,
): Promise<Outcome> {
  const job = readJob(runner.contract, started);
  const failJob = (reason: FailureReason): Promise<Outcome> =>
    recordPermanentFailure(runner, started, { ...job, reason }, context);

  const knownFailure = started.failure ?? findStartObstacle(runner, started, job);
  if (knownFailure !== undefined) return failJob(knownFailure);
  try {
    if (job.readable) await callHandler(runner.handlers, job, context);
    return { kind: 'done' };
  } catch (error) {
    if (error instanceof TryLater) return postponeJob(runner, job, error, context);
    // The abort may have caused the error, so the job does not fail: another process runs it again.
    if (context.signal.aborted) return { kind: 'hand-back' };
    if (error instanceof GiveUp) return failJob({ code: String(error.code), message: error.message });
    if (context.lastAttempt) {
      // The failure reason that the queue stores contains neither the stack nor the cause of the error.
      context.log.warn({ ...buildErrorFields(error), attempt: context.attempt }, 'the last attempt of the job failed');
      return failJob(createFailureReason(error));
    }
    return retryJob(runner, job, error, context);
  }
}

async function postponeJob<Jobs extends JobPayloads>(
  runner: JobRunner<Jobs>,
  job: ReadableJob<Jobs> | UnreadableJob,
  error: TryLater,
  context: JobContext,
): Promise<Outcome> {
  const { delayMs, code, message, cause, failures } = error;
  if (cause !== undefined)
    context.log.warn({ ...buildErrorFields(error), delayMs }, 'the job is delayed because of a temporary failure');
  const attempt = failures ?? context.attempt;
  if (code !== undefined) await reportRetry(runner, job, { code, message, delayMs }, { ...context, attempt });
  return { kind: 'later', delayMs };
}

async function retryJob<Jobs extends JobPayloads>(
  runner: JobRunner<Jobs>,
  job: ReadableJob<Jobs> | UnreadableJob,
  error: unknown,
  context: JobContext,
): Promise<Outcome> {
  const fields = { ...buildErrorFields(error), attempt: context.attempt };
  context.log.warn(fields, 'an attempt of the job failed; the job will be retried');
  const backoff = getRetrySettings(runner.contract, job.name)?.backoff;
  const delayMs = backoff === undefined ? 0 : computeBackoff(backoff, context.attempt, Math.random());
  await reportRetry(runner, job, { ...createRetryReason(error), delayMs }, context);
  return { kind: 'retry', error, delayMs };
}

/** Calls `onRetry`. An error of `onRetry` is logged and does not affect the retry. */
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
    context.log.warn({ err: error }, 'onRetry threw an error, so the retry of the job was not reported');
  }
}

/**
 * Returns the reason of a failed attempt that users may see. It contains the error's message only if the error is an
 * `AttemptFailed`.
 */
function createRetryReason(error: unknown): FailureReason {
  if (error instanceof AttemptFailed) return { code: String(error.code), message: error.message };
  return { code: 'internal_error', message: REASONS.internal_error };
}

/** Returns the reason with which a job fails permanently after its last attempt. */
function createFailureReason(error: unknown): FailureReason {
  if (error instanceof AttemptFailed) return { code: String(error.code), message: error.message };
  return { code: 'attempts_exhausted', message: getErrorMessage(error) };
}

/** Returns the reason for which a job must fail before its handler is called. Undefined: the handler can be called. */
function findStartObstacle<Jobs extends JobPayloads>(
  { maxStalls }: JobRunner<Jobs>,
  { stalls }: StartedJob,
  job: ReadableJob<Jobs> | UnreadableJob,
): FailureReason | undefined {
  if (!job.readable) return { code: 'payload_unreadable', message: job.problem };
  if (stalls <= maxStalls) return undefined;
  return { code: 'stalled_too_often', message: `the process that ran the job died or hung ${stalls} times` };
}

async function callHandler<Jobs extends JobPayloads, Name extends keyof Jobs & string>(
  handlers: Handlers<Jobs>,
  job: ReadableJob<Jobs, Name>,
  context: JobContext,
): Promise<void> {
  await handlers[job.name](job.payload, context);
}

async function recordPermanentFailure<Jobs extends JobPayloads>(
  runner: JobRunner<Jobs>,
  started: StartedJob,
  failure: JobFailure<Jobs>,
  context: JobContext,
): Promise<Outcome> {
  try {
    if (started.failure === undefined) await started.storeFailure(failure.reason);
    await runner.onFailed?.(failure, context);
    return { kind: 'failed', reason: failure.reason };
  } catch (error) {
    context.log.error(
      { err: error, reason: failure.reason },
      'onFailed threw an error for a failed job and is called again later',
    );
    return { kind: 'later', delayMs: runner.hookRetryMs };
  }
}

function getErrorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
