import type { ReasonCode } from '../datasource/reasons.js';

/** Signals that a retry cannot succeed. The job fails at once and is not retried. */
export class GiveUp<Code extends string = ReasonCode> extends Error {
  /** Holds the stable, documented code, such as `file_encrypted`. */
  readonly code: Code;

  constructor(code: NoInfer<Code>, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'GiveUp';
    this.code = code;
  }
}

/**
 * Fails one attempt of a job for a reason that users may read. The job is retried after the backoff of its contract.
 * When its attempts are used up, it fails with this reason.
 */
export class AttemptFailed<Code extends string = ReasonCode> extends Error {
  /** Holds the stable, documented code, such as `embedder_unavailable`. */
  readonly code: Code;

  /** @param message is shown to users, so it must not contain internal addresses */
  constructor(code: NoInfer<Code>, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'AttemptFailed';
    this.code = code;
  }
}

export interface TryLaterOptions extends ErrorOptions {
  /** Names the reason if users may read the message. Stable and documented, such as `rate_limited`. */
  readonly code?: ReasonCode;
  /** Number of consecutive failures, from 1. Reported instead of the attempts of the job. */
  readonly failures?: number;
}

/** Delays a job without using up an attempt. */
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
