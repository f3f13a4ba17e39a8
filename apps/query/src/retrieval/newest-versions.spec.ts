import { describe, expect, it } from 'vitest';
import { createScoredFragment } from '../testing/knowledge.js';
import { keepNewestVersions } from './newest-versions.js';

const createList = (...items: ReturnType<typeof createScoredFragment>[]) => ({
  items,
  limit: 10,
  weight: 1,
  closeness: () => 1,
});
const listTexts = (lists: ReturnType<typeof keepNewestVersions>) =>
  lists.map(({ items }) => items.map(({ text }) => text));
const old = { documentKey: 'a', version: 'old', generation: 1 };
const fresh = { documentKey: 'a', version: 'new', generation: 2 };

describe('keepNewestVersions', () => {
  it('keeps only the newer version of a document that was replaced between two searches', () => {
    const first = createList(
      createScoredFragment('old one', old),
      createScoredFragment('other'),
      createScoredFragment('old two', old),
    );
    const second = createList(createScoredFragment('new one', fresh));
    expect(listTexts(keepNewestVersions([first, second]))).toEqual([['other'], ['new one']]);
    expect(listTexts(keepNewestVersions([second, first]))).toEqual([['new one'], ['other']]);
  });

  it('keeps all fragments of a document if only its generation changed', () => {
    const confirmed = { ...old, generation: 5 };
    const lists = [createList(createScoredFragment('one', old)), createList(createScoredFragment('two', confirmed))];
    expect(listTexts(keepNewestVersions(lists))).toEqual([['one'], ['two']]);
  });

  it('distinguishes documents with the same key in different datastores', () => {
    const lists = [
      createList(createScoredFragment('here', old)),
      createList(createScoredFragment('there', { ...fresh, datastoreId: 'd2' })),
    ];
    expect(listTexts(keepNewestVersions(lists))).toEqual([['here'], ['there']]);
  });
});
