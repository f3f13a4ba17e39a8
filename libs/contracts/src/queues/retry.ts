import type { ReasonCode } from '../datasource/reasons.js';

/** Reports that a job failed and that a retry cannot succeed. The job fails at once, without further attempts. */
export class GiveUp<Code extends string = ReasonCode> extends Error {
  /** Holds the stable, documented code of the reason, such as `file_encrypted`. */
  readonly code: Code;

  constructor(code: NoInfer<Code>, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'GiveUp';
    this.code = code;
  }
}

/**
 * Reports that an attempt of a job failed for a reason that users may read. The job is retried after the backoff of its
 * contract. After the last attempt, the job fails with this reason.
 */
export class AttemptFailed<Code extends string = ReasonCode> extends Error {
  /** Holds the stable, documented code of the reason, such as `embedder_unavailable`. */
  readonly code: Code;

  /** @param message is shown to users, so it must not contain internal addresses */
  constructor(code: NoInfer<Code>, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'AttemptFailed';
    this.code = code;
  }
}

export interface TryLaterOptions extends ErrorOptions {
  /** Stable, documented code of the reason, such as `rate_limited`. Absent: users must not see the message. */
  readonly code?: ReasonCode;
  /** Number of consecutive failures of the job, from 1. Users see it instead of the number of the attempt. */
  readonly failures?: number;
}

/**
 * Reports that a job must start again after `delayMs` milliseconds. The current execution does not count as an attempt.
 */
export class TryLater extends Error {
  readonly delayMs: number;
  readonly code: ReasonCode | undefined;
  readonly failures: number | undefined;

  constructor(delayMs: number, message: string, { code, failures, ...options }: TryLaterOptions = {}) {
    super(message, options);
    this.name = 'TryLater';
    this.delayMs = delayMs;
    this.code = code;
    this.failures = failures;
  }
}
