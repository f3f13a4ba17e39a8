import { TemporaryListingError, PermanentListingError } from '@quarry/item-listing';
import { type Endpoint, syncParameters } from './endpoint.js';
import { type Rule, failed, PASSED, skipped, type Verdict } from './rule.js';
import { requestRules } from './rules/answering.js';
import { filteringRules } from './rules/filtering.js';
import { itemRules } from './rules/items.js';
import { orderingRules } from './rules/ordering.js';
import { pagingRules } from './rules/paging.js';
import { readSample, type Sample } from './read-sample.js';

/** A rule with the result of its check. */
export interface RuleResult {
  readonly rule: string;
  readonly verdict: Verdict;
}

const RULES: readonly Rule[] = [...pagingRules, ...orderingRules, ...filteringRules, ...itemRules, ...requestRules];

/** Checks an endpoint against each rule of the contract, in order. @param maxItems approximate maximum number of items to read */
export async function* checkListing(endpoint: Endpoint, maxItems: number): AsyncGenerator<RuleResult> {
  const page = await runCheck(async () => {
    await endpoint.request(...syncParameters({ take: 1 }));
    return PASSED;
  });
  yield { rule: 'a public address returns JSON with total_count and items', verdict: page };
  if (page.outcome === 'failed') return;

  let sample: Sample = { items: [], isWhole: false, totalCount: 0, request: '' };
  const reading = await runCheck(async () => {
    sample = await readSample(endpoint, maxItems);
    return sample.items.length === 0 ? skipped('the listing is empty') : PASSED;
  });
  yield { rule: 'the listing can be read from its first item to its last', verdict: reading };
  if (reading.outcome === 'failed') sample = await firstPage(endpoint);

  for (const rule of RULES) {
    yield { rule: rule.description, verdict: await runCheck(async () => rule.check(endpoint, sample)) };
  }
}

/** Reads the first page only, so that the rules can show why the listing could not be read. */
async function firstPage(endpoint: Endpoint): Promise<Sample> {
  const { items, totalCount, request } = await endpoint.request(...syncParameters({ take: 100 }));
  return { items, isWhole: false, totalCount, request };
}

async function runCheck(check: () => Promise<Verdict>): Promise<Verdict> {
  try {
    return await check();
  } catch (error) {
    if (error instanceof PermanentListingError || error instanceof TemporaryListingError)
      return failed(`${error.code}: ${removeRequest(error.message)}`, extractRequest(error.message));
    throw error;
  }
}

/** Matches the request at the end of an error message of a listing. */
const REQUEST = / \((GET [^)]*)\)$/;

function removeRequest(message: string): string {
  return message.replace(REQUEST, '');
}

function extractRequest(message: string): string {
  return REQUEST.exec(message)?.[1] ?? '';
}
