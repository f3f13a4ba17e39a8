/** Tracks whether the last run of a datasource may have failed, because it was cancelled or its source failed. */
export class RunOutcome {
  #isRequested = false;
  #isDisturbed = false;
  #couldFailBefore = false;

  /** Records that all requests so far are settled. */
  beginRound(): void {
    this.#couldFailBefore = this.canFail;
    this.#isRequested = false;
    this.#isDisturbed = false;
  }

  /** Records the request of a run. */
  recordRequest(): void {
    this.#isRequested = true;
  }

  /** Records that a run in progress may fail. */
  allowFailure(): void {
    this.#isDisturbed = true;
  }

  get canFail(): boolean {
    return this.#isDisturbed || (this.#couldFailBefore && !this.#isRequested);
  }
}
