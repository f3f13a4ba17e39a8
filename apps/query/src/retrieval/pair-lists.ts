import type { ScoredFragment } from '@quarry/fragment-store';
import type { RankedList } from './fuse-lists.js';
import { getDocumentId } from './document-id.js';

/** Maximum weight of the match of a whole document, relative to weight 1 for its fragment, as in `rankByDocuments`. */
const MAX_INFLUENCE = 2;

type Found = RankedList<ScoredFragment>;

/** Holds the results of the dense and of the lexical search for the same text. */
export interface ListPair {
  readonly dense: Found;
  readonly lexical: Found;
}

/**
 * Makes the scores of the dense and the lexical list for a text comparable:
 *
 * - The dense list also contains the lexical results, with their similarities. Otherwise a lexical result that narrowly
 *   misses the dense list would count like a result without any similarity.
 * - The best fragments of both lists get the same normalized score: the weighted mean of their previous ones. Dense and
 *   lexical scores have different ranges. So only the weights of the two lists decide how much each list counts. A text
 *   with better matches still counts more than the other texts of the question.
 * - The match of the whole document weighs the fragments of the dense list, as it already does in the lexical list.
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

/** Adds the results of a lexical list to a dense list. Each gets its similarity to the query's vector as its score. */
function addSimilarResults(dense: Found, lexical: Found): Found {
  const found = new Set(dense.items.map(({ id }) => id));
  const added = lexical.items.flatMap((item) =>
    item.similarity === undefined || found.has(item.id) ? [] : [{ ...item, score: item.similarity }],
  );
  if (added.length === 0) return dense;
  const items = [...dense.items, ...added].sort((one, other) => other.score - one.score);
  return { ...dense, items, limit: Math.max(dense.limit, items.length) };
}

/** Returns the normalized score of the best item of a list, or 0 if the list is empty. */
function getBestValue({ items: [best], normalizeBest }: Found): number {
  return best === undefined ? 0 : normalizeBest(best.score);
}

/**
 * Returns a function that weighs a fragment by how well its whole document matches the words of the text. The weight is
 * 1 for the document that matches best, and at least a third. A document without a result in `lexical` counts like the
 * document that matches least.
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
