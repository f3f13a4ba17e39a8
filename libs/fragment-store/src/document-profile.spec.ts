import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createProfileOfTerms,
  decodeDocumentProfile,
  DocumentProfileBuilder,
  getTermShare,
  type DocumentProfile,
} from './document-profile.js';

const LONG = 1_000;

describe('the profile of a document', () => {
  it('the profile of a document contains, for each term, the share of the document’s fragments that contain the term', () => {
    const profile = buildProfile([['a', 'b'], ['a', 'a'], ['a'], ['c']], LONG);
    expect(getTermShare(profile, 'a')).toBeCloseTo(0.75, 1);
    expect(getTermShare(profile, 'c')).toBeCloseTo(0.25, 1);
    expect(getTermShare(profile, 'd')).toBe(0);
  });

  it('the profile of a document of at most 20 fragments contains a share greater than 0 and at most 1 for each term', () => {
    const someFragments = fc.array(fc.array(fc.string({ unit: 'binary' })), { maxLength: 20 });
    fc.assert(
      fc.property(someFragments, (fragments) => {
        const profile = buildProfile(fragments, LONG);
        for (const term of fragments.flat()) {
          const share = getTermShare(profile, term);
          expect(share).toBeGreaterThan(0);
          expect(share).toBeLessThanOrEqual(1);
        }
      }),
    );
  });

  it('for the given terms, createProfileOfTerms returns the same shares as the profile of a document with one fragment', () => {
    const stored = buildProfile([['heron', 'egret', 'heron']], LONG);
    const created = createProfileOfTerms(['heron']);
    expect(getTermShare(created, 'heron')).toBe(getTermShare(stored, 'heron'));
    expect(getTermShare(created, 'ibis')).toBe(0);
    expect(createProfileOfTerms([])).toHaveLength(0);
  });

  it('in a document profile, a term of the first lines has a larger share than a term that only one later fragment contains', () => {
    const rest = Array.from({ length: 99 }, () => ['x']);
    const profile = buildProfile([['title'], ['later'], ...rest], LONG);
    expect(getTermShare(profile, 'title')).toBeCloseTo(0.3, 1);
    expect(getTermShare(profile, 'later')).toBe(0);
    const short = buildProfile([['title'], ['later'], ...rest], 400);
    expect(getTermShare(short, 'later')).toBeCloseTo(0.3, 1);
  });

  it('the profile of a document has at most 2,048 terms, and contains a term that all fragments contain', () => {
    const fragments = Array.from({ length: 30 }, (_, at) => [
      'everywhere',
      ...Array.from({ length: 400 }, (__, term) => `rare${String(at)}-${String(term)}`),
    ]);
    const profile = buildProfile(fragments, LONG);
    expect(profile.length).toBeLessThanOrEqual(2_048);
    expect(getTermShare(profile, 'everywhere')).toBe(1);
  });

  it('the profile of a document without terms is empty', () => {
    expect(buildProfile([[]], 0)).toHaveLength(0);
  });
});

function buildProfile(fragments: readonly (readonly string[])[], characters: number): DocumentProfile {
  const builder = new DocumentProfileBuilder();
  for (const terms of fragments) builder.addFragment(terms, characters);
  return decodeDocumentProfile(builder.encodeProfile());
}
