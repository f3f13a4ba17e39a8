import { toPublicReasonCode, REASONS, type AttemptError, type ReasonCode } from '@quarry/contracts';
import { createRunReporter, type ReportedJob, type Reporting, type RunPhase } from './run-reporter.js';

/** Holds the reason why a job failed, as the queue of the job reports it. */
interface JobFailure {
  readonly reason: { readonly code: string; readonly message: string };
}

interface JobStart {
  readonly attempt: number;
  /** Number of starts of the job, including this one. */
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

/** Holds the hooks by which a consumer reports the failures and retries of its jobs. */
export interface JobEndHooks<Payload> {
  readonly onFailed: (failure: FailedJob<Payload>, job: JobStart & { readonly log: StartLog }) => Promise<void>;
  readonly onRetry: (retry: RetriedJob<Payload>, job: JobStart) => Promise<void>;
}

/** Returns the error of a failed attempt as users see it. */
export function createAttemptError(
  { reason, nextAttemptAt }: Omit<RetriedJob<unknown>, 'name' | 'payload'>,
  { attempt }: JobStart,
): AttemptError {
  return { ...createReasonForUsers(reason), attempt, nextAttemptAt: nextAttemptAt.toISOString() };
}

/**
 * Returns the reason of a failure as users see it. For `attempts_exhausted` and undocumented codes, a general message
 * replaces the message of the error, which may contain internal addresses and is only logged.
 */
export function createReasonForUsers({ code, message }: JobFailure['reason']): {
  readonly code: ReasonCode;
  readonly message: string;
} {
  const known = toPublicReasonCode(code);
  const isForUsers = known === code && known !== 'attempts_exhausted';
  return { code: known, message: isForUsers ? message : REASONS[known] };
}

/**
 * Creates the hooks of a consumer whose jobs each belong to one run.
 *
 * - `onFailed` reports the end of the run. In the phase `fetching-one`, the only document of the run has failed. In the
 *   phase `whole`, reading the source of the run has failed.
 * - `onRetry` reports the reason of the retry.
 *
 * A job with an unreadable payload is only logged, because only a readable payload identifies the run. The watchdog of
 * the gateway later ends the run of such a job.
 *
 * @param getPhase returns the phase of the run that the job with the given name performs
 */
export function createJobEndHooks<Payload extends ReportedJob>(
  reporting: Reporting,
  getPhase: (jobName: string) => RunPhase = () => 'whole',
): JobEndHooks<Payload> {
  const createReporter = (payload: Payload, name: string, { starts }: JobStart) =>
    createRunReporter(reporting, payload, { starts, phase: getPhase(name) });
  return {
    onFailed: async (failure, job) => {
      if (!failure.readable) {
        job.log.error({ code: failure.reason.code }, failure.reason.message);
        return;
      }
      const { code, message } = failure.reason;
      if (toPublicReasonCode(code) !== code)
        job.log.error({ code }, `a job failed for an undocumented reason: ${message}`);
      const isOneDocument = getPhase(failure.name) === 'fetching-one';
      const outcome = isOneDocument ? 'failed' : 'read_failed';
      await createReporter(failure.payload, failure.name, job).reportEnd({
        outcome,
        ...createReasonForUsers(failure.reason),
      });
    },
    onRetry: async (retry, job) => {
      await createReporter(retry.payload, retry.name, job).reportRetry(createAttemptError(retry, job));
    },
  };
}
