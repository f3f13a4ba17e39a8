import { termsOf, termsOfQuery } from '@quarry/text-analysis';
import type { SearchText } from '../retrieval/search-texts.js';

/** How well sentences match a question. */
export interface Relevance {
  /** For each sentence, in [0, 1]: 1 has all of the question's words that any sentence has. Rare words count more. */
  readonly scores: readonly number[];
  /** In [0, 1]: how much the best sentence has of the text it has most of, words that no sentence has included. */
  readonly coverage: number;
}

/** A longer question has said by then what it asks, and comparing takes time. */
const MAX_TERMS = 64;
/** Words of which one is the beginning of the other, or nearly, are forms of one word: `intercept`, `interceptions`. */
const SAME_STEM = 0.6;
const LEAST_STEM = 4;
const ALPHABETIC = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]+$/u;
const FULL_LENGTH = 6;
/** A word that stands in so many sentences is common. */
const COMMON = 20;

export function relevanceOf(sentences: readonly string[], texts: readonly SearchText[]): Relevance {
  const say = weightedTerms(texts);
  const terms = [...say.keys()];
  const rows = sentences.map((sentence) => matches(terms, new Set(termsOf(sentence))));
  const worth = terms.map((term, at) => rarity(rows, at) * meaning(term));
  const weighted = terms.map((term, at) => (say.get(term) ?? 0) * (worth[at] ?? 0));
  const most = sum(weighted.filter((_, at) => rows.some((row) => (row[at] ?? 0) > 0)));
  return {
    scores: rows.map((row) => (most === 0 ? 0 : product(row, weighted) / most)),
    coverage: Math.max(0, ...texts.map(({ text }) => coverageOf(terms, worth, rows, new Set(termsOfQuery(text))))),
  };
}

/** The best sentence's share of one text. */
function coverageOf(
  terms: readonly string[],
  worth: readonly number[],
  rows: readonly (readonly number[])[],
  text: ReadonlySet<string>,
): number {
  const ofText = worth.map((value, at) => (text.has(terms[at] ?? '') ? value : 0));
  return Math.max(0, ...rows.map((row) => product(row, ofText))) / (sum(ofText) || 1);
}

/** Each term with its greatest weight. */
function weightedTerms(texts: readonly SearchText[]): Map<string, number> {
  const terms = new Map<string, number>();
  for (const { text, weight } of texts)
    for (const term of termsOfQuery(text)) {
      if (terms.size < MAX_TERMS || terms.has(term)) terms.set(term, Math.max(weight, terms.get(term) ?? 0));
    }
  return terms;
}

/** For each term: 1 where it stands in the sentence, less where only another form of the word does. */
function matches(terms: readonly string[], sentence: ReadonlySet<string>): number[] {
  return terms.map((term) => {
    if (sentence.has(term)) return 1;
    for (const word of sentence) if (haveOneStem(term, word)) return SAME_STEM;
    return 0;
  });
}

function haveOneStem(one: string, other: string): boolean {
  const least = Math.max(LEAST_STEM, SAME_STEM * Math.max(one.length, other.length));
  if (Math.min(one.length, other.length) < least) return false;
  for (let at = 0; at < least; at += 1) if (one[at] !== other[at]) return false;
  return true;
}

/** Short words of alphabets mostly hold a sentence together; among few sentences, rarity alone does not show it. */
function meaning(term: string): number {
  return ALPHABETIC.test(term) ? Math.min(1, term.length / FULL_LENGTH) : 1;
}

/**
 * Among the sentences: a word that all of them have tells none of them apart. It does not depend on how many sentences there
 * are, so that little knowledge is not taken for less to the point than much.
 */
function rarity(rows: readonly (readonly number[])[], at: number): number {
  const holding = rows.filter((row) => (row[at] ?? 0) > 0).length;
  return Math.log(1 + COMMON / (1 + Math.max(1, holding)));
}

function product(one: readonly number[], other: readonly number[]): number {
  return sum(one.map((number, at) => number * (other[at] ?? 0)));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
