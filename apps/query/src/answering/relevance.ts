import { extractTerms, analyzeQueryTerms } from '@quarry/text-analysis';
import type { SearchText } from '../retrieval/search-texts.js';

/** Holds scores that describe how well sentences match a question. */
export interface Relevance {
  /**
   * Score per sentence in [0, 1]. A sentence that has every question word found in any sentence scores 1. Rare words weigh more.
   */
  readonly scores: readonly number[];
  /**
   * Largest weighted share of the words of one question text that a single sentence contains, in [0, 1].
   */
  readonly coverage: number;
}

/** Maximum number of query terms that are compared. Later words of a long question add little. */
const MAX_TERMS = 64;
/**
 * Factor for a word that shares only its stem with the term, and minimum shared share of two words: `intercept`, `interceptions`.
 */
const STEM_SHARE = 0.6;
const MIN_STEM_LENGTH = 4;
const ALPHABETIC = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]+$/u;
const FULL_WEIGHT_LENGTH = 6;
/** Number of sentences in which a term counts as common. */
const COMMON_COUNT = 20;

export function computeRelevance(sentences: readonly string[], texts: readonly SearchText[]): Relevance {
  const termWeights = collectTermWeights(texts);
  const terms = [...termWeights.keys()];
  const rows = sentences.map((sentence) => matchTerms(terms, new Set(extractTerms(sentence))));
  const termValues = terms.map((term, at) => computeRarity(rows, at) * computeContentWeight(term));
  const weighted = terms.map((term, at) => (termWeights.get(term) ?? 0) * (termValues[at] ?? 0));
  const total = sumNumbers(weighted.filter((_, at) => rows.some((row) => (row[at] ?? 0) > 0)));
  return {
    scores: rows.map((row) => (total === 0 ? 0 : dotProduct(row, weighted) / total)),
    coverage: Math.max(
      0,
      ...texts.map(({ text }) => computeCoverage(terms, termValues, rows, new Set(analyzeQueryTerms(text)))),
    ),
  };
}

/**
 * Computes the largest weighted share of a question text's terms that one sentence contains.
 *
 * @param rows matches per sentence
 */
function computeCoverage(
  terms: readonly string[],
  termValues: readonly number[],
  rows: readonly (readonly number[])[],
  text: ReadonlySet<string>,
): number {
  const ofText = termValues.map((value, at) => (text.has(terms[at] ?? '') ? value : 0));
  return Math.max(0, ...rows.map((row) => dotProduct(row, ofText))) / (sumNumbers(ofText) || 1);
}

/** Maps each term of the question texts to the largest weight of its texts. */
function collectTermWeights(texts: readonly SearchText[]): Map<string, number> {
  const terms = new Map<string, number>();
  for (const { text, weight } of texts)
    for (const term of analyzeQueryTerms(text)) {
      if (terms.size < MAX_TERMS || terms.has(term)) terms.set(term, Math.max(weight, terms.get(term) ?? 0));
    }
  return terms;
}

/** Returns one value per term: 1 if the sentence contains it, 0.6 if it contains a word with the same stem, else 0. */
function matchTerms(terms: readonly string[], sentence: ReadonlySet<string>): number[] {
  return terms.map((term) => {
    if (sentence.has(term)) return 1;
    for (const word of sentence) if (hasSameStem(term, word)) return STEM_SHARE;
    return 0;
  });
}

function hasSameStem(one: string, other: string): boolean {
  const least = Math.max(MIN_STEM_LENGTH, STEM_SHARE * Math.max(one.length, other.length));
  if (Math.min(one.length, other.length) < least) return false;
  for (let at = 0; at < least; at += 1) if (one[at] !== other[at]) return false;
  return true;
}

/**
 * Lowers the weight of short words in alphabetic scripts, which are mostly function words. With few sentences, rarity alone
 * misses them.
 */
function computeContentWeight(term: string): number {
  return ALPHABETIC.test(term) ? Math.min(1, term.length / FULL_WEIGHT_LENGTH) : 1;
}

/**
 * Weighs a term by the number of sentences that have it. The total number of sentences does not count, so that a small knowledge
 * base does not lower the score.
 */
function computeRarity(rows: readonly (readonly number[])[], at: number): number {
  const holding = rows.filter((row) => (row[at] ?? 0) > 0).length;
  return Math.log(1 + COMMON_COUNT / (1 + Math.max(1, holding)));
}

function dotProduct(one: readonly number[], other: readonly number[]): number {
  return sumNumbers(one.map((number, at) => number * (other[at] ?? 0)));
}

function sumNumbers(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
