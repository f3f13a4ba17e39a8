import { hashTerm } from '@quarry/fragment-store';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildDocumentVector, buildQueryVector, type SparseVector } from './sparse-vector.js';

const someTerms = fc.array(fc.string({ minLength: 1, maxLength: 8 }), { maxLength: 50 });

describe('buildDocumentVector', () => {
  it('a document vector has one positive weight for each distinct term', () => {
    fc.assert(
      fc.property(someTerms, (terms) => {
        const { indices, values } = buildDocumentVector(terms);
        expect(indices).toEqual([...new Set(terms.map(hashTerm))]);
        expect(values).toHaveLength(indices.length);
        expect(values.every((value) => value > 0)).toBe(true);
      }),
    );
  });

  it('in a document vector, the weight of a term grows with its number of occurrences, but less than proportionally', () => {
    const weights = [1, 2, 4, 8, 1_000].map((times) => findWeight('a', [...Array<string>(times).fill('a'), 'b']));
    expect(weights).toEqual([...weights].sort((a, b) => a - b));
    expect(findWeight('a', ['a', 'a'])).toBeLessThan(2 * findWeight('a', ['a']));
  });

  it('in a document vector, a term has less weight if the text is longer', () => {
    const long = ['a', ...Array.from({ length: 500 }, (_, at) => `other${String(at)}`)];
    expect(findWeight('a', long)).toBeLessThan(findWeight('a', ['a', 'b']));
  });
});

describe('buildQueryVector', () => {
  it('a query vector multiplies the weights of the terms by their inverse document frequencies', () => {
    expect(
      buildQueryVector(
        new Map([
          ['a', 2],
          ['b', 0.25],
        ]),
        (index) => (index === hashTerm('a') ? 3 : 4),
      ),
    ).toEqual({ indices: [hashTerm('a'), hashTerm('b')], values: [6, 1] });
  });
});

function findWeight(term: string, terms: readonly string[]): number {
  const { indices, values }: SparseVector = buildDocumentVector(terms);
  return values[indices.indexOf(hashTerm(term))] ?? 0;
}
