import { describe, expect, it } from 'vitest';
import { scored } from '../testing/knowledge.js';
import { inOneVersion } from './one-version.js';

const list = (...items: ReturnType<typeof scored>[]) => ({ items, limit: 10, weight: 1, closeness: () => 1 });
const texts = (lists: ReturnType<typeof inOneVersion>) => lists.map(({ items }) => items.map(({ text }) => text));
const old = { documentKey: 'a', version: 'old', generation: 1 };
const fresh = { documentKey: 'a', version: 'new', generation: 2 };

describe('a document that was replaced between two searches', () => {
  it('stays in its newer version alone, whichever search saw it', () => {
    const first = list(scored('old one', old), scored('other'), scored('old two', old));
    const second = list(scored('new one', fresh));
    expect(texts(inOneVersion([first, second]))).toEqual([['other'], ['new one']]);
    expect(texts(inOneVersion([second, first]))).toEqual([['new one'], ['other']]);
  });

  it('stays whole when only its generation has changed', () => {
    const confirmed = { ...old, generation: 5 };
    const lists = [list(scored('one', old)), list(scored('two', confirmed))];
    expect(texts(inOneVersion(lists))).toEqual([['one'], ['two']]);
  });

  it('is another document in another datastore', () => {
    const lists = [list(scored('here', old)), list(scored('there', { ...fresh, datastoreId: 'd2' }))];
    expect(texts(inOneVersion(lists))).toEqual([['here'], ['there']]);
  });
});
