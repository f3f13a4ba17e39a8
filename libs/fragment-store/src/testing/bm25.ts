import { countTerms } from '@quarry/text-analysis';
import { computeTermWeight } from '../term-weight.js';

/**
 * Returns the Okapi BM25 score of each document for the weighted terms of a query. Documents are lists of terms. A
 * score of 0 means that the document shares no term with the query.
 */
export function computeBm25Scores(
  documents: readonly (readonly string[])[],
  query: ReadonlyMap<string, number>,
): number[] {
  const counts = documents.map(countTerms);
  const weights = new Map(Array.from(query, ([term, weight]) => [term, weight * computeIdf(counts, term)]));
  return documents.map((terms, at) => {
    let score = 0;
    for (const [term, weight] of weights) {
      const frequency = counts[at]?.get(term) ?? 0;
      score += weight * computeTermWeight(frequency, terms.length);
    }
    return score;
  });
}

function computeIdf(documents: readonly Map<string, number>[], term: string): number {
  const holding = documents.filter((counts) => counts.has(term)).length;
  return Math.log(1 + (documents.length - holding + 0.5) / (holding + 0.5));
}
