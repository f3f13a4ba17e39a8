import type { ScoredFragment } from '@quarry/fragment-store';
import type { RankedList } from './fuse-lists.js';
import { getDocumentId } from './select-results.js';

/** Maximum weight of a document's match relative to the score of its fragment, as in `rankByDocuments`. */
const MAX_INFLUENCE = 2;

type Found = RankedList<ScoredFragment>;

/** Holds the results of both kinds of search for the same text. */
export interface ListPair {
  readonly dense: Found;
  readonly lexical: Found;
}

/**
 * Makes the two lists for a text comparable:
 *
 * - The dense list also contains the lexical results, with their similarities. Otherwise a lexical result that narrowly
 *   misses the dense list would count like a result without any similarity.
 * - The best fragments of both lists get equal values: the weighted mean of their own values. The kinds of scores have
 *   different ranges, so the weights alone decide how much a list counts. A pair with better scores still counts more
 *   than the pair of another text.
 * - The dense list is also ranked by documents, as the lexical list already is.
 *
 * If one list has no matches or no weight, both lists stay as they are.
 */
export function pairLists(pair: ListPair): ListPair {
  const { lexical } = pair;
  if (!affectsRanking(pair.dense) || !affectsRanking(lexical)) return pair;
  const dense = addSimilarResults(pair.dense, lexical);
  const best = dense.weight * getBestValue(dense) + lexical.weight * getBestValue(lexical);
  const value = best / (dense.weight + lexical.weight);
  const normalizeBest = (): number => value;
  const weighItem = createDocumentWeigher(lexical.items);
  return { dense: { ...dense, normalizeBest, weighItem }, lexical: { ...lexical, normalizeBest } };
}

function affectsRanking(list: Found): boolean {
  return list.weight * getBestValue(list) > 0;
}

/** Adds the results of a lexical list to a dense list, by their similarities to the vector of the query. */
function addSimilarResults(dense: Found, lexical: Found): Found {
  const found = new Set(dense.items.map(({ id }) => id));
  const added = lexical.items.flatMap((item) =>
    item.similarity === undefined || found.has(item.id) ? [] : [{ ...item, score: item.similarity }],
  );
  if (added.length === 0) return dense;
  const items = [...dense.items, ...added].sort((one, other) => other.score - one.score);
  return { ...dense, items, limit: Math.max(dense.limit, items.length) };
}

/** Returns the value of the best item of a list, or 0 if the list is empty. */
function getBestValue({ items: [best], normalizeBest }: Found): number {
  return best === undefined ? 0 : normalizeBest(best.score);
}

/**
 * Returns a function that weighs fragments by the matches of their documents in a lexical list. The weight is 1 for the
 * best document and decreases to no less than a third. A document without a lexical result counts like the document
 * that matches least.
 *
 * If each lexical result is from a different document, every weight is 1: the match of a document with one fragment
 * adds nothing to the scores of that fragment.
 *
 * @returns undefined if no document matches the words of the text
 */
function createDocumentWeigher(lexical: readonly ScoredFragment[]): ((fragment: ScoredFragment) => number) | undefined {
  const matches = new Map(
    lexical.flatMap((fragment) =>
      fragment.documentMatch === undefined ? [] : [[getDocumentId(fragment), fragment.documentMatch] as const],
    ),
  );
  if (matches.size === 0) return undefined;
  const lowest = Math.min(...matches.values());
  const documents = new Set(lexical.map(getDocumentId)).size;
  const influence = MAX_INFLUENCE * (1 - documents / lexical.length);
  return (fragment) => (1 + influence * (matches.get(getDocumentId(fragment)) ?? lowest)) / (1 + influence);
}
