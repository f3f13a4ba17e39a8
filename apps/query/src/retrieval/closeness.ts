import { termsOfQuery } from '@quarry/text-analysis';

/** The BM25 score per word of the query that counts as half of what is possible. */
const HALF_BM25 = 2;

/** How near the best fragment is, in [0, 1]: its cosine similarity; what points away counts as 0. */
export function denseCloseness(cosine: number): number {
  return Math.min(1, Math.max(0, cosine));
}

/**
 * How near a BM25 score is, in [0, 1): `s / (s + 2n)` for a query of n different words. BM25 has no upper bound, and grows with
 * the words of the query; a score of 2 for each word is 0.5. On XQuAD (en, de, zh), the best fragment of a question that
 * the texts answer has 0.5 in the median, of one that they do not answer 0.3.
 */
export function lexicalCloseness(query: string): (bm25: number) => number {
  const words = Math.max(1, new Set(termsOfQuery(query)).size);
  return (bm25) => Math.max(0, bm25) / (Math.max(0, bm25) + HALF_BM25 * words);
}
