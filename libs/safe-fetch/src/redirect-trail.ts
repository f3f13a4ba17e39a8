import { FetchRefused } from './fetch-error.js';
import type { OutgoingRequest, Redirect } from './redirects.js';

/** Records the redirects of a request, and detects loops and too many redirects. */
export class RedirectTrail {
  readonly #most: number;
  readonly #seen: Set<string>;
  readonly #steps: Redirect[] = [];

  constructor(first: OutgoingRequest, most: number) {
    this.#most = most;
    this.#seen = new Set([getKey(first)]);
  }

  get steps(): readonly Redirect[] {
    return [...this.#steps];
  }

  /** Adds a redirect. @throws FetchRefused `too_many_redirects`, `redirect_loop` */
  addRedirect(step: Redirect, next: OutgoingRequest): void {
    if (this.#seen.has(getKey(next))) {
      throw new FetchRefused('redirect_loop', 'expected redirects without a loop, found one to a URL already visited');
    }
    if (this.#steps.length === this.#most) {
      throw new FetchRefused('too_many_redirects', `expected at most ${this.#most} redirects, found one more`);
    }
    this.#seen.add(getKey(next));
    this.#steps.push(step);
  }
}

const getKey = ({ method, url }: OutgoingRequest): string => `${method} ${url.href}`;
