import type { Endpoint } from './endpoint.js';
import type { Sample } from './read-sample.js';

/** Defines a rule of the listing contract and how to check it. */
export interface Rule {
  readonly description: string;
  /**
   * Checks whether the endpoint follows the rule.
   *
   * @param sample items of the listing, which were read before the check
   * @throws PermanentListingError, TemporaryListingError when the endpoint does not return a page
   */
  check(endpoint: Endpoint, sample: Sample): Promise<Verdict> | Verdict;
}

export function createRule(description: string, check: Rule['check']): Rule {
  return { description, check };
}

/** Describes whether an endpoint follows a rule. */
export type Verdict =
  | { readonly outcome: 'passed' }
  /** The endpoint violates the rule. `found` describes the violation, and `request` is the request that shows it. */
  | { readonly outcome: 'failed'; readonly found: string; readonly request: string }
  /** The rule cannot be checked with the items of the listing, for example because all items have the same date. */
  | { readonly outcome: 'skipped'; readonly reason: string };

export const PASSED: Verdict = { outcome: 'passed' };

export function createFailedVerdict(found: string, request: string): Verdict {
  return { outcome: 'failed', found, request };
}

export function createSkippedVerdict(reason: string): Verdict {
  return { outcome: 'skipped', reason };
}
