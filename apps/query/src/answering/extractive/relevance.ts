import { extractTerms, analyzeQueryTerms } from '@quarry/text-analysis';
import { hasSameStem } from './question-words.js';
import type { SearchText } from '../../retrieval/search-texts.js';

/** Maximum number of terms of the question that are compared. The terms after them add little. */
const MAX_TERMS = 64;
/** Similarity of two words that share only their beginning, such as `intercept` and `interceptions`. */
const STEM_SHARE = 0.6;
const ALPHABETIC = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]+$/u;
const FULL_WEIGHT_LENGTH = 6;
/** Minimum number of sentences that must contain a term so that it counts as common, and weighs little. */
const COMMON_COUNT = 20;

/**
 * Computes the relevance of each sentence for the question, in [0, 1]. Question words that no sentence contains are
 * ignored. A sentence with all other question words has the relevance 1. A word weighs more if fewer sentences contain
 * it.
 *
 * @param ignored terms that are ignored, unless the question has no other terms
 */
export function computeRelevance(
  sentences: readonly string[],
  texts: readonly SearchText[],
  ignored: ReadonlySet<string> = new Set(),
): number[] {
  const termWeights = collectTermWeights(texts);
  const counted = [...termWeights.keys()].filter((term) => !ignored.has(term));
  const terms = counted.length === 0 ? [...termWeights.keys()] : counted;
  const rows = sentences.map((sentence) => matchTerms(terms, new Set(extractTerms(sentence))));
  const weighted = terms.map(
    (term, at) => (termWeights.get(term) ?? 0) * computeRarity(rows, at) * computeContentWeight(term),
  );
  const total = sumNumbers(weighted.filter((_, at) => rows.some((row) => (row[at] ?? 0) > 0)));
  return rows.map((row) => (total === 0 ? 0 : computeDotProduct(row, weighted) / total));
}

/** Maps each term of the texts of a question to the largest weight among the texts that contain the term. */
function collectTermWeights(texts: readonly SearchText[]): Map<string, number> {
  const terms = new Map<string, number>();
  for (const { text, weight } of texts)
    for (const term of analyzeQueryTerms(text)) {
      if (terms.size < MAX_TERMS || terms.has(term)) terms.set(term, Math.max(weight, terms.get(term) ?? 0));
    }
  return terms;
}

/**
 * Returns one value per term: 1 if the sentence contains it, 0.6 if it contains a word with the same stem, otherwise 0.
 */
function matchTerms(terms: readonly string[], sentence: ReadonlySet<string>): number[] {
  return terms.map((term) => {
    if (sentence.has(term)) return 1;
    for (const word of sentence) if (hasSameStem(term, word)) return STEM_SHARE;
    return 0;
  });
}

/**
 * Returns the weight of a term by its length. In alphabetic scripts, short words weigh less, because most are function
 * words. If there are few sentences, function words can be rare among them, so that `computeRarity` alone does not
 * lower their weight.
 */
function computeContentWeight(term: string): number {
  return ALPHABETIC.test(term) ? Math.min(1, term.length / FULL_WEIGHT_LENGTH) : 1;
}

/**
 * Returns the weight of a term, which decreases with the number of sentences that contain the term. The total number of
 * sentences has no influence, so that the weights are not lower in a small knowledge base.
 */
function computeRarity(matchRows: readonly (readonly number[])[], termIndex: number): number {
  const holding = matchRows.filter((row) => (row[termIndex] ?? 0) > 0).length;
  return Math.log(1 + COMMON_COUNT / (1 + Math.max(1, holding)));
}

function computeDotProduct(one: readonly number[], other: readonly number[]): number {
  return sumNumbers(one.map((number, at) => number * (other[at] ?? 0)));
}

function sumNumbers(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
