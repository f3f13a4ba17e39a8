import type { FakePoint } from './filter.js';

interface FakeSparseVector {
  readonly indices: readonly number[];
  readonly values: readonly number[];
}

/**
 * Names the factor by which the server multiplies the weights of a sparse query. `none`: no factor. `idf`: the inverse
 * document frequency.
 */
export type FakeModifier = 'none' | 'idf';

export type FakeQuery = readonly number[] | FakeSparseVector;

/**
 * Returns a function that scores a point by the query: by cosine similarity for dense vectors and by the dot product
 * for sparse ones. The function returns undefined for a point that does not match the query.
 */
export function createScorer(
  query: FakeQuery,
  using: string,
  all: readonly FakePoint[],
  modifier: FakeModifier,
): (point: FakePoint) => number | undefined {
  if (isDenseQuery(query)) return createCosineScorer(query, using);
  return createDotProductScorer(modifier === 'idf' ? multiplyByIdf(query, using, all) : query, using);
}

function createCosineScorer(query: readonly number[], using: string): (point: FakePoint) => number | undefined {
  const length = Math.hypot(...query);
  return ({ vector }) => {
    const stored = vector[using];
    if (!Array.isArray(stored)) return undefined;
    const values = stored as readonly number[]; // checked when it was stored
    const dot = query.reduce((sum, value, at) => sum + value * (values[at] ?? 0), 0);
    return dot / (length * Math.hypot(...values));
  };
}

/**
 * Multiplies the weights of a query by inverse document frequencies, which count the points of all organizations in the
 * collection.
 */
function multiplyByIdf(
  { indices, values }: FakeSparseVector,
  using: string,
  all: readonly FakePoint[],
): FakeSparseVector {
  const vectors = all.flatMap(({ vector }) => getSparseVector(vector[using]) ?? []);
  const counts = new Map<number, number>();
  for (const vector of vectors) for (const index of vector.indices) counts.set(index, (counts.get(index) ?? 0) + 1);
  const multiplied = indices.map((index, at) => {
    const count = counts.get(index) ?? 0;
    return (values[at] ?? 0) * Math.log((vectors.length - count + 0.5) / (count + 0.5) + 1);
  });
  return { indices, values: multiplied };
}

/** Creates a function that scores sparse vectors by their dot product with the query. */
function createDotProductScorer(
  { indices, values }: FakeSparseVector,
  using: string,
): (point: FakePoint) => number | undefined {
  const weights = new Map(indices.map((index, at) => [index, values[at] ?? 0]));
  return ({ vector }) => {
    const stored = getSparseVector(vector[using]);
    const shared = stored?.indices.flatMap((index, at) => {
      const weight = weights.get(index);
      return weight === undefined ? [] : [weight * (stored.values[at] ?? 0)];
    });
    return shared === undefined || shared.length === 0 ? undefined : shared.reduce((sum, value) => sum + value, 0);
  };
}

function isDenseQuery(query: FakeQuery): query is readonly number[] {
  return Array.isArray(query);
}

function getSparseVector(vector: unknown): FakeSparseVector | undefined {
  return typeof vector === 'object' && vector !== null && 'indices' in vector
    ? (vector as FakeSparseVector)
    : undefined;
}
