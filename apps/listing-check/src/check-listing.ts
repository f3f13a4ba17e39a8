import { ListingAway, ListingBroken } from '@quarry/item-listing';
import type { Endpoint } from './endpoint.js';
import { inOrder } from './in-order.js';
import type { Rule } from './rule.js';
import { answering } from './rules/answering.js';
import { filtering } from './rules/filtering.js';
import { itemRules } from './rules/items.js';
import { ordering } from './rules/ordering.js';
import { paging } from './rules/paging.js';
import { takeSample, type Sample } from './take-sample.js';
import { broken, KEPT, untold, type Verdict } from './rule-verdict.js';

/** A rule's sentence, and what was found out. */
export interface Line {
  readonly sentence: string;
  readonly verdict: Verdict;
}

const RULES: readonly Rule[] = [...paging, ...ordering, ...filtering, ...itemRules, ...answering];

/**
 * Holds an endpoint to each rule of the contract, one after the other.
 *
 * @param mostItems read no more than about this many
 */
export async function* checkListing(endpoint: Endpoint, mostItems: number): AsyncGenerator<Line> {
  const page = await outcome(async () => {
    await endpoint.ask(...inOrder({ take: 1 }));
    return KEPT;
  });
  yield { sentence: 'a public address answers with JSON that holds total_count and items', verdict: page };
  if (page.outcome === 'broken') return;

  let sample: Sample = { items: [], whole: false, totalCount: 0, request: '' };
  const reading = await outcome(async () => {
    sample = await takeSample(endpoint, mostItems);
    return sample.items.length === 0 ? untold('the listing is empty') : KEPT;
  });
  yield { sentence: 'the listing can be read from its first item to its last', verdict: reading };
  if (reading.outcome === 'broken') sample = await firstPage(endpoint);

  for (const rule of RULES) {
    yield { sentence: rule.sentence, verdict: await outcome(async () => rule.check(endpoint, sample)) };
  }
}

/** Enough to see which rule it is that keeps the listing from being read. */
async function firstPage(endpoint: Endpoint): Promise<Sample> {
  const { items, totalCount, request } = await endpoint.ask(...inOrder({ take: 100 }));
  return { items, whole: false, totalCount, request };
}

async function outcome(check: () => Promise<Verdict>): Promise<Verdict> {
  try {
    return await check();
  } catch (error) {
    if (error instanceof ListingBroken || error instanceof ListingAway)
      return broken(`${error.code}: ${withoutRequest(error.message)}`, requestIn(error.message));
    throw error;
  }
}

/** A listing's failure names its request at the end of its message. */
const REQUEST = / \((GET [^)]*)\)$/;

function withoutRequest(message: string): string {
  return message.replace(REQUEST, '');
}

function requestIn(message: string): string {
  return REQUEST.exec(message)?.[1] ?? '';
}
