import { getReasonCode, REASONS, type AttemptError, type ReasonCode } from '@quarry/contracts';
import { createRunReporter, type ReportedJob, type Reporting, type RunPhase } from './run-reporter.js';

/** Describes why a job failed, as its queue reports it. */
interface JobFailure {
  readonly reason: { readonly code: string; readonly message: string };
}

interface JobStart {
  readonly attempt: number;
  /** Number of starts of the job, this one included. */
  readonly starts: number;
}

/** Describes a job that failed permanently. */
type FailedJob<Payload> = JobFailure & { readonly name: string } & (
    { readonly readable: true; readonly payload: Payload } | { readonly readable: false }
  );

/** Describes a job that failed and will be retried. */
interface RetriedJob<Payload> extends JobFailure {
  readonly name: string;
  readonly payload: Payload;
  readonly nextAttemptAt: Date;
}

interface StartLog {
  error(fields: object, message: string): void;
}

/** Receives the failures of a run's jobs from their queue. */
export interface JobEnds<Payload> {
  readonly onFailed: (failure: FailedJob<Payload>, job: JobStart & { readonly log: StartLog }) => Promise<void>;
  readonly onRetry: (retry: RetriedJob<Payload>, job: JobStart) => Promise<void>;
}

/** Returns the error of a failed attempt, for users. */
export function createAttemptError(
  { reason, nextAttemptAt }: Omit<RetriedJob<unknown>, 'name' | 'payload'>,
  { attempt }: JobStart,
): AttemptError {
  return { ...createUserReason(reason), attempt, nextAttemptAt: nextAttemptAt.toISOString() };
}

/**
 * Returns why a job failed, for users. The last error of exhausted attempts is omitted, because it may contain internal
 * addresses; the log contains it.
 */
export function createUserReason({ code, message }: JobFailure['reason']): {
  readonly code: ReasonCode;
  readonly message: string;
} {
  const known = getReasonCode(code);
  return { code: known, message: known === 'attempts_exhausted' ? REASONS.attempts_exhausted : message };
}

/**
 * Reports the failures of jobs that each process a whole run. A permanently failed job reports that the only document of its run
 * has failed, or the reading of its source. A retried job reports the reason. An unreadable payload identifies no run; the
 * gateway's watchdog ends that run.
 *
 * @param phaseOf returns the phase of the run for a job name
 */
export function reportJobEnds<Payload extends ReportedJob>(
  reporting: Reporting,
  phaseOf: (jobName: string) => RunPhase = () => 'whole',
): JobEnds<Payload> {
  const createReporter = (payload: Payload, name: string, { starts }: JobStart) =>
    createRunReporter(reporting, payload, { starts, phase: phaseOf(name) });
  return {
    onFailed: async (failure, job) => {
      if (!failure.readable) {
        job.log.error({ code: failure.reason.code }, failure.reason.message);
        return;
      }
      const isOneDocument = phaseOf(failure.name) === 'fetching-one';
      const outcome = isOneDocument ? 'failed' : 'read_failed';
      await createReporter(failure.payload, failure.name, job).reportEnd({
        outcome,
        ...createUserReason(failure.reason),
      });
    },
    onRetry: async (retry, job) => {
      await createReporter(retry.payload, retry.name, job).reportRetry(createAttemptError(retry, job));
    },
  };
}
