import { computeTermWeight } from './term-weight.js';

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
  const occurrences = found.map(({ terms }) => countOccurrences(terms, query));
  const mean = occurrences.reduce((sum, { terms }) => sum + terms, 0) / Math.max(1, found.length);
  return found.map(({ score }, at) => {
    const inFragment = occurrences[at];
    const before = inFragment === undefined ? 0 : sumTermWeights(inFragment, query, mean);
    return inFragment === undefined || before === 0 ? score : (score * sumTermWeights(inFragment, query)) / before;
  });
}

/**
 * Counts terms in a text without splitting the text, because a split would double the time.
 *
 * @param text terms separated by spaces
 */
function countOccurrences(text: string, query: ReadonlyMap<string, number>): TermOccurrences {
  const counts = new Map(Array.from(query.keys(), (term) => [term, countTerm(text, term)]));
  return { counts, terms: countSpaces(text) + 1 };
}

function countTerm(text: string, term: string): number {
  let count = 0;
  for (let start = text.indexOf(term); start !== -1; start = text.indexOf(term, start + term.length)) {
    const end = start + term.length;
    const isWhole = (start === 0 || text[start - 1] === ' ') && (end === text.length || text[end] === ' ');
    if (isWhole) count += 1;
  }
  return count;
}

function countSpaces(text: string): number {
  let count = 0;
  for (let at = text.indexOf(' '); at !== -1; at = text.indexOf(' ', at + 1)) count += 1;
  return count;
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
