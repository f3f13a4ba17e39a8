/** Tracks whether the last run of a datasource may have failed: a cancellation or a failure of the source allows it. */
export class RunOutcome {
  #isRequested = false;
  #isDisturbed = false;
  #couldFailBefore = false;

  /** Starts a round, after all work of the previous round has settled. */
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
