/** Maximum number of remembered redirects. */
const MAX_REDIRECTS = 20_000;

/**
 * Remembers the redirects that runs have found. A job that returns to its queue in the middle of a chain of redirects continues
 * with the last one, instead of requesting the chain again.
 */
export class RedirectMemory {
  readonly #targets = new Map<string, string>();

  find(runId: string, url: string): string | undefined {
    return this.#targets.get(`${runId} ${url}`);
  }

  add(runId: string, url: string, to: string): void {
    if (this.#targets.size >= MAX_REDIRECTS) this.#targets.delete(this.#targets.keys().next().value ?? '');
    this.#targets.set(`${runId} ${url}`, to);
  }
}
