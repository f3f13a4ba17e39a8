import type { Endpoint } from './endpoint.js';
import type { Sample } from './take-sample.js';
import type { Verdict } from './rule-verdict.js';

/** One sentence of the contract, and how to find out whether it is kept. */
export interface Rule {
  readonly sentence: string;
  /** @throws ListingBroken, ListingAway when the endpoint does not answer with a page */
  check(endpoint: Endpoint, sample: Sample): Promise<Verdict> | Verdict;
}

export function rule(sentence: string, check: Rule['check']): Rule {
  return { sentence, check };
}
