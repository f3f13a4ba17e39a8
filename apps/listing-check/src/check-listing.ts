import { TemporaryListingError, PermanentListingError } from '@quarry/item-listing';
import { type Endpoint, buildSyncParameters } from './endpoint.js';
import { type Rule, createFailedVerdict, PASSED, createSkippedVerdict, type Verdict } from './rule.js';
import { requestRules } from './rules/listing-requests.js';
import { filteringRules } from './rules/filtering.js';
import { itemRules } from './rules/items.js';
import { orderingRules } from './rules/ordering.js';
import { pagingRules } from './rules/paging.js';
import { createSampleOfPage, readSample, type Sample } from './read-sample.js';

/** Holds the description of a rule and the result of its check. */
export interface RuleResult {
  readonly rule: string;
  readonly verdict: Verdict;
}

const RULES: readonly Rule[] = [...pagingRules, ...orderingRules, ...filteringRules, ...itemRules, ...requestRules];

/**
 * Checks whether an endpoint follows the listing contract. Yields the result of each rule, in the order of the checks.
 *
 * @param maxItems approximate maximum number of items to read
 */
export async function* checkListing(endpoint: Endpoint, maxItems: number): AsyncGenerator<RuleResult> {
  const page = await runCheckAndConvertErrors(async () => {
    await endpoint.request(...buildSyncParameters({ take: 1 }));
    return PASSED;
  });
  yield { rule: 'a public address returns JSON with total_count and items', verdict: page };
  if (page.outcome === 'failed') return;

  let sample = createSampleOfPage({ items: [], totalCount: 0, request: '' });
  const reading = await runCheckAndConvertErrors(async () => {
    sample = await readSample(endpoint, maxItems);
    return sample.items.length === 0 ? createSkippedVerdict('the listing is empty') : PASSED;
  });
  yield { rule: 'the listing can be read from its first item to its last', verdict: reading };
  const checked = reading.outcome === 'failed' ? await readFirstPage(endpoint) : sample;
  if (checked === undefined) return;

  for (const rule of RULES) {
    const verdict = await runCheckAndConvertErrors(async () => rule.check(endpoint, checked));
    yield { rule: rule.description, verdict };
  }
}

/** Numbers of items that `readFirstPage` requests in turn, because large pages of a listing can fail. */
const FIRST_PAGE_SIZES = [100, 10, 1];

/**
 * Reads some items in one request. If the whole listing could not be read, the rules check these items instead.
 *
 * @returns undefined if the listing returns no page of any size
 */
async function readFirstPage(endpoint: Endpoint): Promise<Sample | undefined> {
  for (const take of FIRST_PAGE_SIZES) {
    try {
      return createSampleOfPage(await endpoint.request(...buildSyncParameters({ take })));
    } catch (error) {
      if (!isListingError(error)) throw error;
    }
  }
  return undefined;
}

function isListingError(error: unknown): error is PermanentListingError | TemporaryListingError {
  return error instanceof PermanentListingError || error instanceof TemporaryListingError;
}

/** Runs the check of a rule. Converts an error that the listing has caused to a failed verdict. */
async function runCheckAndConvertErrors(check: () => Promise<Verdict>): Promise<Verdict> {
  try {
    return await check();
  } catch (error) {
    if (isListingError(error))
      return createFailedVerdict(
        `${error.code}: ${removeRequestFromMessage(error.message)}`,
        extractRequestFromMessage(error.message),
      );
    throw error;
  }
}

/** Matches the request at the end of a listing error's message, such as `(GET https://…)`. */
const REQUEST = / \((GET [^)]*)\)$/;

/** Returns the message of a listing error without the request at its end. */
function removeRequestFromMessage(message: string): string {
  return message.replace(REQUEST, '');
}

/** Returns the request at the end of the message of a listing error, or an empty string if there is none. */
function extractRequestFromMessage(message: string): string {
  return REQUEST.exec(message)?.[1] ?? '';
}
