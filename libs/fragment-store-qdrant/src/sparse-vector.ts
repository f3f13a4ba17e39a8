import { computeTermWeight, hashTerm } from '@quarry/fragment-store';
import { countTerms } from '@quarry/text-analysis';

/** Describes a sparse vector: the indexes and the values of its nonzero elements. */
export interface SparseVector {
  readonly indices: number[];
  readonly values: number[];
}

/**
 * Returns the BM25 weights of a fragment's terms, without the inverse document frequency, which `buildQueryVector`
 * includes.
 */
export function buildDocumentVector(terms: readonly string[]): SparseVector {
  return buildSparseVector(countTerms(terms), (count) => computeTermWeight(count, terms.length));
}

/**
 * Returns the sparse vector of a query from its weighted terms.
 *
 * @param computeIdf returns the inverse document frequency of the term with the given index
 */
export function buildQueryVector(
  terms: ReadonlyMap<string, number>,
  computeIdf: (index: number) => number,
): SparseVector {
  const { indices, values } = buildSparseVector(terms, (weight) => weight);
  return { indices, values: values.map((value, at) => value * computeIdf(indices[at] ?? 0)) };
}

function buildSparseVector(terms: ReadonlyMap<string, number>, computeWeight: (count: number) => number): SparseVector {
  const values = new Map<number, number>();
  for (const [term, count] of terms) {
    const index = hashTerm(term);
    // Terms that share an index count as one term. Among a million distinct terms, about a hundred pairs share an
    // index.
    values.set(index, (values.get(index) ?? 0) + computeWeight(count));
  }
  return { indices: [...values.keys()], values: [...values.values()] };
}
