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

/** A handler's word that now is not the time: the job comes back after the wait, and no attempt is spent. */
export class TryLater extends Error {
  readonly delayMs: number;

  constructor(delayMs: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'TryLater';
    this.delayMs = delayMs;
  }
}
