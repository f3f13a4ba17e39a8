/** Whether the last run of a datasource may have failed: it was cancelled, or its source did not work. */
export class RunOutcome {
  #isRequested = false;
  #isDisturbed = false;
  #couldFailBefore = false;

  /** Records that everything requested so far is settled. */
  beginRound(): void {
    this.#couldFailBefore = this.canFail;
    this.#isRequested = false;
    this.#isDisturbed = false;
  }

  /** Records that a run was requested. */
  request(): void {
    this.#isRequested = true;
  }

  /** Records that a run under way may fail. */
  disturb(): void {
    this.#isDisturbed = true;
  }

  get canFail(): boolean {
    return this.#isDisturbed || (this.#couldFailBefore && !this.#isRequested);
  }
}
