import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeDocumentProfile, DocumentProfileBuilder, type DocumentProfile } from './document-profile.js';
import type { ScoredFragment } from './fragment-store.js';
import { rankByDocuments } from './rank-by-documents.js';

const QUERY = new Map([
  ['heron', 1],
  ['revenue', 1],
]);

describe('ranking fragments by their documents', () => {
  it('rankByDocuments ranks a fragment above a fragment with a higher score if its document matches the query better, unless the scores differ much', () => {
    const profiles = { a: buildProfile(['revenue']), b: buildProfile(['revenue', 'heron']) };
    expect(rankFragments({ a: 10, b: 9 }, profiles)).toEqual(['b', 'a']);
    expect(rankFragments({ a: 10, b: 4 }, profiles)).toEqual(['a', 'b']);
  });

  it('rankByDocuments gives the match of a document more weight if the results contain several fragments of each document', () => {
    const profiles = { a: buildProfile(['egret']), b: buildProfile(['heron']) };
    const getProfile = ({ id }: ScoredFragment): DocumentProfile | undefined =>
      profiles[id.startsWith('a') ? 'a' : 'b'];
    const single = [createFragment('a1', 10), createFragment('b1', 4.5)];
    expect(rankByDocuments(single, QUERY, getProfile)[0]?.id).toBe('a1');
    const several = [...single, createFragment('a2', 1), createFragment('b2', 1)];
    expect(rankByDocuments(several, QUERY, getProfile)[0]?.id).toBe('b1');
  });

  it('rankByDocuments gives more weight to a rare term than to a term that many of the found documents contain', () => {
    const rare = buildProfile(['heron']);
    const common = Array.from({ length: 8 }, () => buildProfile(['revenue']));
    const profiles = { rare, ...Object.fromEntries(common.map((profile, at) => [`common${String(at)}`, profile])) };
    const scores = Object.fromEntries(Object.keys(profiles).map((key) => [key, 5]));
    expect(rankFragments(scores, profiles)[0]).toBe('rare');
  });

  it('rankByDocuments changes no score and no order if all fragments are of one document, or no document has a profile', () => {
    const profile = buildProfile(['revenue']);
    const found = [createFragment('one', 3), createFragment('two', 2)];
    expect(rankByDocuments(found, QUERY, () => profile)).toEqual(found.map((one) => ({ ...one, documentMatch: 1 })));
    expect(rankByDocuments(found, QUERY, () => undefined)).toEqual(found);
  });

  it('rankByDocuments returns `documentMatch`, relative to the best document, for each document that has a profile', () => {
    const profiles = new Map([
      ['half', buildProfile(['heron'])],
      ['best', buildProfile(['heron', 'revenue'])],
    ]);
    const found = ['best', 'half', 'unknown'].map((id) => createFragment(id, 5));
    const ranked = rankByDocuments(found, QUERY, ({ id }) => profiles.get(id));
    const matches = new Map(ranked.map(({ id, documentMatch }) => [id, documentMatch]));
    expect(matches.get('best')).toBe(1);
    expect(matches.get('half')).toBeLessThan(1);
    expect(matches.get('unknown')).toBeUndefined();
  });

  it('if scores differ by less than their precision, rankByDocuments makes them equal and ranks the newest fragment first', () => {
    const profile = buildProfile(['revenue']);
    const found = [
      { ...createFragment('old', 5.0000002), generation: 1 },
      { ...createFragment('new', 5), generation: 2 },
      { ...createFragment('other', 5.0000001), generation: 1 },
    ];
    for (const getProfile of [() => profile, () => undefined]) {
      const ranked = rankByDocuments(found, QUERY, getProfile);
      expect(ranked.map(({ id, score }) => [id, score])).toEqual([
        ['new', 5],
        ['old', 5],
        ['other', 5],
      ]);
    }
  });

  it('rankByDocuments ranks a document without a profile between a matching document and a non-matching document', () => {
    const profiles = { match: buildProfile(['heron']), other: buildProfile(['egret']) };
    expect(rankFragments({ other: 5, unknown: 5, match: 5 }, profiles)).toEqual(['match', 'unknown', 'other']);
  });

  it('rankByDocuments never raises a score, and never lowers a score to less than a third', () => {
    const someTerms = fc.subarray(['heron', 'revenue', 'egret'], { minLength: 1 });
    const someFragments = fc.array(fc.tuple(fc.double({ min: 0.01, max: 100, noNaN: true }), someTerms));
    fc.assert(
      fc.property(someFragments, (some) => {
        const found = some.map(([score], at) => createFragment(String(at), score));
        const profiles = some.map(([, terms]) => buildProfile(terms));
        const ranked = rankByDocuments(found, QUERY, ({ id }) => profiles[Number(id)]);
        expect(ranked).toHaveLength(found.length);
        for (const { id, score } of ranked) {
          const before = found[Number(id)]?.score ?? 0;
          expect(score).toBeLessThanOrEqual(before * 1.0001);
          expect(score).toBeGreaterThanOrEqual(before * 0.3333);
        }
      }),
    );
  });
});

function rankFragments(
  scores: Readonly<Record<string, number>>,
  profiles: Readonly<Record<string, DocumentProfile>>,
): string[] {
  const found = Object.entries(scores).map(([id, score]) => createFragment(id, score));
  return rankByDocuments(found, QUERY, ({ id }) => profiles[id]).map(({ id }) => id);
}

function createFragment(id: string, score: number): ScoredFragment {
  return {
    ...{ id, datastoreId: 'd', datasourceId: 's', documentKey: id, customId: null, source: null, version: id },
    ...{ generation: 1, page: null, location: null, rectangles: [], ordinal: 0, context: '', text: id, score },
  };
}

function buildProfile(terms: readonly string[]): DocumentProfile {
  const builder = new DocumentProfileBuilder();
  builder.addFragment(terms, 1);
  return decodeDocumentProfile(builder.encodeProfile());
}
