import { NO_COUNTERS, reasonCodeOf, REASONS, type AttemptError, type ReasonCode } from '@quarry/contracts';
import type { RunPhase } from './event-numbers.js';
import { runReporter, type ReportedJob, type Reporting } from './run-reporter.js';

/** Why a job failed, as its queue describes it. */
interface JobFailure {
  readonly reason: { readonly code: string; readonly message: string };
}

interface JobStart {
  readonly attempt: number;
  /** How often the job was started, this time included. */
  readonly starts: number;
}

/** A job that failed for good. */
type FailedJob<Payload> = JobFailure & { readonly name: string } & (
    { readonly readable: true; readonly payload: Payload } | { readonly readable: false }
  );

/** A job that failed and will be run again. */
interface RetriedJob<Payload> extends JobFailure {
  readonly name: string;
  readonly payload: Payload;
  readonly nextAttemptAt: Date;
}

interface StartLog {
  error(fields: object, message: string): void;
}

/** What a queue calls when a job of a run fails. */
export interface JobEnds<Payload> {
  readonly onFailed: (failure: FailedJob<Payload>, job: JobStart & { readonly log: StartLog }) => Promise<void>;
  readonly onRetry: (retry: RetriedJob<Payload>, job: JobStart) => Promise<void>;
}

const ONE_FAILED = { ...NO_COUNTERS, discovered: 1, fetched: 1, failed: 1 };

/** Returns why an attempt failed, for users. */
export function attemptError(
  { reason, nextAttemptAt }: Omit<RetriedJob<unknown>, 'name' | 'payload'>,
  { attempt }: JobStart,
): AttemptError {
  return { ...userReason(reason), attempt, nextAttemptAt: nextAttemptAt.toISOString() };
}

/** Returns why a job failed, for users. The last error of exhausted attempts may name internal addresses: it is in the logs. */
export function userReason({ code, message }: JobFailure['reason']): {
  readonly code: ReasonCode;
  readonly message: string;
} {
  const known = reasonCodeOf(code);
  return { code: known, message: known === 'attempts_exhausted' ? REASONS.attempts_exhausted : message };
}

/**
 * Reports the failures of jobs that do all of their runs: a job that failed for good ends its run in `error`, and one that is
 * retried reports why. A payload that cannot be read names no run: the gateway's watchdog ends that run.
 *
 * @param phaseOf the part of its run that a job of this name does
 */
export function reportJobEnds<Payload extends ReportedJob>(
  reporting: Reporting,
  phaseOf: (jobName: string) => RunPhase = () => 'whole',
): JobEnds<Payload> {
  const reporterOf = (payload: Payload, name: string, { starts }: JobStart) =>
    runReporter(reporting, payload, { starts, phase: phaseOf(name) });
  return {
    onFailed: async (failure, job) => {
      if (!failure.readable) {
        job.log.error({ code: failure.reason.code }, failure.reason.message);
        return;
      }
      const end = { status: 'error', ...userReason(failure.reason) } as const;
      const isOneDocument = phaseOf(failure.name) === 'fetching-one';
      await reporterOf(failure.payload, failure.name, job).settled(
        isOneDocument ? { ...end, counters: ONE_FAILED } : end,
      );
    },
    onRetry: async (retry, job) => {
      await reporterOf(retry.payload, retry.name, job).retrying(attemptError(retry, job));
    },
  };
}
