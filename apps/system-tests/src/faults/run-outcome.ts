/**
 * Tracks whether the last run of a datasource may have failed, because it was cancelled or an external server failed.
 */
export class RunOutcome {
  #isRequested = false;
  #isDisturbed = false;
  #couldFailBefore = false;

  /** Starts a round of the campaign. Called after all runs of the previous round have ended. */
  beginRound(): void {
    this.#couldFailBefore = this.canFail;
    this.#isRequested = false;
    this.#isDisturbed = false;
  }

  /** Records that a run was requested in this round. */
  recordRequest(): void {
    this.#isRequested = true;
  }

  /** Records that the runs of this round may fail. */
  allowFailure(): void {
    this.#isDisturbed = true;
  }

  get canFail(): boolean {
    return this.#isDisturbed || (this.#couldFailBefore && !this.#isRequested);
  }
}
