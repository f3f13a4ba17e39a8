/** Counts the failures of a site over all starts of its crawl in one process. */
export class SiteHealth {
  /** Number of failed requests since the last one that succeeded. */
  failedRequests = 0;
  /** Number of consecutive pages that failed after all attempts. */
  failedPages = 0;
  /** Number of pages that exceeded the limits of extraction. */
  unreadablePages = 0;
  readonly #attempts = new Map<string, number>();

  /** Records a failed request. @returns the number of failed requests for the page */
  recordFailure(documentKey: string): number {
    const attempts = (this.#attempts.get(documentKey) ?? 0) + 1;
    this.#attempts.set(documentKey, attempts);
    this.failedRequests += 1;
    return attempts;
  }

  recordSuccess(documentKey: string): void {
    this.#attempts.delete(documentKey);
    this.failedRequests = 0;
  }
}
