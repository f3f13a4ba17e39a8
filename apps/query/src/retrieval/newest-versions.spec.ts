import { describe, expect, it } from 'vitest';
import { scored } from '../testing/knowledge.js';
import { keepNewestVersions } from './newest-versions.js';

const list = (...items: ReturnType<typeof scored>[]) => ({ items, limit: 10, weight: 1, closeness: () => 1 });
const texts = (lists: ReturnType<typeof keepNewestVersions>) => lists.map(({ items }) => items.map(({ text }) => text));
const old = { documentKey: 'a', version: 'old', generation: 1 };
const fresh = { documentKey: 'a', version: 'new', generation: 2 };

describe('a document that is replaced between two searches', () => {
  it('is returned in its newer version only, whichever search found it', () => {
    const first = list(scored('old one', old), scored('other'), scored('old two', old));
    const second = list(scored('new one', fresh));
    expect(texts(keepNewestVersions([first, second]))).toEqual([['other'], ['new one']]);
    expect(texts(keepNewestVersions([second, first]))).toEqual([['new one'], ['other']]);
  });

  it('is returned completely if only its generation changed', () => {
    const confirmed = { ...old, generation: 5 };
    const lists = [list(scored('one', old)), list(scored('two', confirmed))];
    expect(texts(keepNewestVersions(lists))).toEqual([['one'], ['two']]);
  });

  it('is a different document in another datastore', () => {
    const lists = [list(scored('here', old)), list(scored('there', { ...fresh, datastoreId: 'd2' }))];
    expect(texts(keepNewestVersions(lists))).toEqual([['here'], ['there']]);
  });
});
