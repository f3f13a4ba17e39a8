import type { ReasonCode } from '../datasource/reasons.js';

/** A handler's word that trying again cannot help: the job fails at once and stays failed. */
export class GiveUp<Code extends string = ReasonCode> extends Error {
  /** Stable and documented, such as `file_encrypted`. */
  readonly code: Code;

  constructor(code: NoInfer<Code>, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'GiveUp';
    this.code = code;
  }
}

/**
 * Fails one attempt of a job for a reason that users may read. The job is run again after its contract's backoff, and fails with
 * this reason when the attempts are used up.
 */
export class AttemptFailed<Code extends string = ReasonCode> extends Error {
  /** Stable and documented, such as `embedder_unavailable`. */
  readonly code: Code;

  /** @param message for users: without internal addresses */
  constructor(code: NoInfer<Code>, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'AttemptFailed';
    this.code = code;
  }
}

export interface TryLaterOptions extends ErrorOptions {
  /** Why, where users may read the message: stable and documented, such as `rate_limited`. */
  readonly code?: ReasonCode;
}

/** Puts a job back until the wait is over. No attempt is spent. */
export class TryLater extends Error {
  readonly delayMs: number;
  readonly code: ReasonCode | undefined;

  constructor(delayMs: number, message: string, { code, ...options }: TryLaterOptions = {}) {
    super(message, options);
    this.name = 'TryLater';
    this.delayMs = delayMs;
    this.code = code;
  }
}
