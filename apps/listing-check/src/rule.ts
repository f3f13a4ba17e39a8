import type { Endpoint } from './endpoint.js';
import type { Sample } from './read-sample.js';

/** A rule of the contract with its check. */
export interface Rule {
  readonly description: string;
  /** Checks the rule. @throws PermanentListingError, TemporaryListingError when the endpoint does not return a page */
  check(endpoint: Endpoint, sample: Sample): Promise<Verdict> | Verdict;
}

export function rule(description: string, check: Rule['check']): Rule {
  return { description, check };
}

/** The result of checking a rule. */
export type Verdict =
  | { readonly outcome: 'passed' }
  /** Includes the request that shows the failure. */
  | { readonly outcome: 'failed'; readonly found: string; readonly request: string }
  /** The listing cannot show the result, for example because all items have the same date. */
  | { readonly outcome: 'skipped'; readonly reason: string };

export const PASSED: Verdict = { outcome: 'passed' };

export function failed(found: string, request: string): Verdict {
  return { outcome: 'failed', found, request };
}

export function skipped(reason: string): Verdict {
  return { outcome: 'skipped', reason };
}
