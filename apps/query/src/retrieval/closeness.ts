import { countQueryWords } from '@quarry/text-analysis';

/** BM25 score per query word that maps to 0.5. */
const HALF_BM25 = 2.5;

/** Converts a cosine similarity to the closeness of a fragment, in [0, 1]. A negative similarity becomes 0. */
export function toDenseCloseness(cosine: number): number {
  return Math.min(1, Math.max(0, cosine));
}

/**
 * Returns a function that maps a BM25 score `s` to [0, 1) with `s / (s + 2.5n)`, for a query of n different words. BM25 has no
 * upper bound and grows with the number of query words.
 */
export function createLexicalCloseness(query: string): (bm25: number) => number {
  const words = Math.max(1, countQueryWords(query));
  return (bm25) => Math.max(0, bm25) / (Math.max(0, bm25) + HALF_BM25 * words);
}
