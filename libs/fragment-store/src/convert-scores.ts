import { computeTermWeight } from './term-weight.js';

/** Number of fingerprints of terms: much larger than the number of terms of most queries. */
const FINGERPRINTS = 1024;

/** Describes the occurrences of a query's terms in a fragment. */
interface TermOccurrences {
  readonly counts: ReadonlyMap<string, number>;
  /** Number of terms in the fragment. */
  readonly terms: number;
}

/**
 * Converts BM25 scores of a store that normalizes the length of a fragment by the mean length, to scores normalized by
 * `REFERENCE_TERMS`. Each score is multiplied by the sum of the term weights with the new normalization, divided by the
 * sum with the old one.
 *
 * Both sums omit the document frequencies, which hardly change the ratio. The mean length of the found fragments
 * approximates the mean length of all fragments, which the store does not return.
 *
 * @param found the score of each fragment, and its terms separated by spaces
 * @param query weighted terms of the query
 * @returns the converted scores, in the order of `found`
 */
export function convertToReferenceLength(
  found: readonly { readonly score: number; readonly terms: string }[],
  query: ReadonlyMap<string, number>,
): readonly number[] {
  const counter = new TermCounter(query);
  const occurrences = found.map(({ terms }) => counter.countOccurrences(terms));
  const mean = occurrences.reduce((sum, { terms }) => sum + terms, 0) / Math.max(1, found.length);
  return found.map(({ score }, at) => {
    const inFragment = occurrences[at];
    const before = inFragment === undefined ? 0 : sumTermWeights(inFragment, query, mean);
    return inFragment === undefined || before === 0 ? score : (score * sumTermWeights(inFragment, query)) / before;
  });
}

/** Counts the terms of a query in texts of terms that are separated by spaces. */
class TermCounter {
  readonly #query: ReadonlyMap<string, number>;
  /** Contains 1 at the fingerprint of each term of the query. */
  readonly #fingerprints = new Uint8Array(FINGERPRINTS);

  constructor(query: ReadonlyMap<string, number>) {
    this.#query = query;
    for (const term of query.keys()) this.#fingerprints[computeFingerprint(term, 0, term.length)] = 1;
  }

  /** Counts in one pass. Extracts only terms with the fingerprint of a query term, because extracting takes most of the time. */
  countOccurrences(text: string): TermOccurrences {
    const counts = new Map<string, number>();
    let terms = 0;
    for (let start = 0; start <= text.length; terms += 1) {
      const space = text.indexOf(' ', start);
      const end = space === -1 ? text.length : space;
      if (this.#fingerprints[computeFingerprint(text, start, end)] === 1) {
        const term = text.slice(start, end);
        if (this.#query.has(term)) counts.set(term, (counts.get(term) ?? 0) + 1);
      }
      start = end + 1;
    }
    return { counts, terms };
  }
}

/** Returns a number below `FINGERPRINTS` for the term from `start` to `end`: equal terms have equal fingerprints. */
function computeFingerprint(text: string, start: number, end: number): number {
  return (text.charCodeAt(start) * 31 + end - start) % FINGERPRINTS;
}

function sumTermWeights(
  { counts, terms }: TermOccurrences,
  query: ReadonlyMap<string, number>,
  referenceTerms?: number,
): number {
  let sum = 0;
  for (const [term, count] of counts) sum += (query.get(term) ?? 0) * computeTermWeight(count, terms, referenceTerms);
  return sum;
}
