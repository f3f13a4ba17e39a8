import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { createScoredFragment } from '../testing/knowledge.js';
import { createLexicalNormalizer, keepNewestVersions, selectResults, normalizeCosine } from './select-results.js';

function createFusedFragments(
  entries: readonly (readonly [text: string, score: number, document?: string])[],
): Parameters<typeof selectResults>[0] {
  return entries.map(([text, score, document = text]) => ({
    item: createScoredFragment(text, { documentKey: document }),
    score,
  }));
}

function listTexts(selected: ReturnType<typeof selectResults>): string[] {
  return selected.map(({ item }) => item.text);
}

describe('selectResults', () => {
  it('selectResults returns the fragments with the highest scores', () => {
    expect(
      listTexts(
        selectResults(
          createFusedFragments([
            ['a', 0.9],
            ['b', 0.8],
            ['c', 0.7],
          ]),
          2,
        ),
      ),
    ).toEqual(['a', 'b']);
  });

  it('selectResults skips a fragment if a fragment with a higher score contains all its words in the same order', () => {
    const copies = createFusedFragments([
      ['# Returns\n\nSend it **back** within 30 days.', 0.9],
      ['Returns: send it back within 30 days', 0.8],
      ['RETURNS', 0.7],
      ['Send it back within 30 days, at our cost', 0.6],
      ['urns', 0.5],
    ]);
    expect(listTexts(selectResults(copies, 5))).toEqual([
      '# Returns\n\nSend it **back** within 30 days.',
      'Send it back within 30 days, at our cost',
      'urns',
    ]);
  });

  it('selectResults returns both of two fragments that differ in one word', () => {
    const variants = createFusedFragments([
      ['Red shirt, size M, 20 euros', 0.9],
      ['Red shirt, size L, 20 euros', 0.89],
    ]);
    expect(selectResults(variants, 5)).toHaveLength(2);
  });

  it('selectResults returns at most three fragments of one document among four results if other documents have similar scores', () => {
    const crowded = createFusedFragments([
      ['1', 0.9, 'x'],
      ['2', 0.8, 'x'],
      ['3', 0.7, 'x'],
      ['4', 0.6, 'x'],
      ['5', 0.5, 'y'],
      ['6', 0.4, 'z'],
    ]);
    expect(listTexts(selectResults(crowded, 4))).toEqual(['1', '2', '3', '5']);
  });

  it('selectResults does not limit the fragments of a document if other documents have much lower scores', () => {
    const crowded = createFusedFragments([
      ['1', 0.9, 'x'],
      ['2', 0.8, 'x'],
      ['3', 0.7, 'x'],
      ['4', 0.6, 'x'],
      ['5', 0.2, 'y'],
    ]);
    expect(listTexts(selectResults(crowded, 4))).toEqual(['1', '2', '3', '4']);
  });

  it('selectResults returns `topK` fragments of one document if there is no other document', () => {
    const one = createFusedFragments(Array.from({ length: 12 }, (_, at) => [`text${at}`, 1 - at / 20, 'x'] as const));
    expect(listTexts(selectResults(one, 10))).toEqual(one.slice(0, 10).map(({ item }) => item.text));
  });

  it('if the limit per document excludes a fragment, selectResults can return a copy of it from another document', () => {
    const crowded = createFusedFragments([
      ['1', 0.9, 'x'],
      ['2', 0.8, 'x'],
      ['3', 0.7, 'x'],
      ['shared words', 0.6, 'x'],
      ['shared', 0.55, 'y'],
      ['Shared words', 0.5, 'z'],
      ['6', 0.4, 'z'],
    ]);
    expect(listTexts(selectResults(crowded, 4))).toEqual(['1', '2', '3', 'shared']);
    expect(listTexts(selectResults(crowded, 5))).toEqual(['1', '2', '3', 'shared', 'Shared words']);
  });

  it('selectResults omits a fragment beyond the limit of its document if several results contain parts of it', () => {
    const copied = createFusedFragments([
      ['one', 0.99, 'x'],
      ['two', 0.98, 'x'],
      ['three', 0.97, 'x'],
      ['red apples and green pears', 0.95, 'x'],
      ['red apples', 0.45, 'y'],
      ['green pears', 0.44, 'y'],
      ['plums', 0.43, 'z'],
    ]);
    expect(listTexts(selectResults(copied, 5))).toEqual(['one', 'two', 'three', 'red apples', 'green pears']);
  });

  it('if selectResults returns a fragment beyond the limit of its document, it omits copies of this fragment from other documents', () => {
    const dropped: unknown[] = [];
    const few = createFusedFragments([
      ['1', 0.9, 'x'],
      ['2', 0.8, 'x'],
      ['3', 0.7, 'x'],
      ['shared words', 0.6, 'x'],
      ['shared', 0.55, 'y'],
      ['6', 0.4, 'z'],
    ]);
    const selected = selectResults(few, 6, ({ item }, reason, duplicateOf) =>
      dropped.push([item.text, reason, duplicateOf]),
    );
    expect(listTexts(selected)).toEqual(['1', '2', '3', 'shared words', '6']);
    expect(dropped).toEqual([['shared', 'duplicate', few[3]?.item.id]]);
  });
});

describe('the newest version of each document', () => {
  const createList = (...items: ReturnType<typeof createScoredFragment>[]) => ({
    items,
    limit: 10,
    weight: 1,
    normalizeBest: () => 1,
  });
  const listTexts = (lists: ReturnType<typeof keepNewestVersions>) =>
    lists.map(({ items }) => items.map(({ text }) => text));
  const old = { documentKey: 'a', version: 'old', generation: 1 };
  const fresh = { documentKey: 'a', version: 'new', generation: 2 };

  describe('keepNewestVersions', () => {
    it('keepNewestVersions keeps only the newer version of a document that was replaced between two searches', () => {
      const first = createList(
        createScoredFragment('old one', old),
        createScoredFragment('other'),
        createScoredFragment('old two', old),
      );
      const second = createList(createScoredFragment('new one', fresh));
      expect(listTexts(keepNewestVersions([first, second]))).toEqual([['other'], ['new one']]);
      expect(listTexts(keepNewestVersions([second, first]))).toEqual([['new one'], ['other']]);
    });

    it('keepNewestVersions keeps the fragments of an older generation if their `version` is the same', () => {
      const confirmed = { ...old, generation: 5 };
      const lists = [createList(createScoredFragment('one', old)), createList(createScoredFragment('two', confirmed))];
      expect(listTexts(keepNewestVersions(lists))).toEqual([['one'], ['two']]);
    });

    it('keepNewestVersions distinguishes documents with the same key in different datastores', () => {
      const lists = [
        createList(createScoredFragment('here', old)),
        createList(createScoredFragment('there', { ...fresh, datastoreId: 'd2' })),
      ];
      expect(listTexts(keepNewestVersions(lists))).toEqual([['here'], ['there']]);
    });
  });
});

describe('the absolute score of the best fragment', () => {
  it('createLexicalNormalizer maps BM25 scores to values from 0 to less than 1, in the same order', () => {
    const positive = fc.double({ min: 0, max: 1e6, noNaN: true });
    fc.assert(
      fc.property(fc.string(), positive, positive, (query, one, other) => {
        const normalizeBest = createLexicalNormalizer(query);
        const [low, high] = [Math.min(one, other), Math.max(one, other)];
        expect(normalizeBest(low)).toBeLessThanOrEqual(normalizeBest(high));
        expect(normalizeBest(low)).toBeGreaterThanOrEqual(0);
        expect(normalizeBest(high)).toBeLessThan(1);
      }),
    );
  });

  it('createLexicalNormalizer maps a BM25 score of 2.5 per distinct query word to 0.5, and ignores stop words', () => {
    expect(createLexicalNormalizer('warranty')(2.5)).toBe(0.5);
    expect(createLexicalNormalizer('What is the warranty of the cameras?')(5)).toBe(0.5);
  });

  it('normalizeCosine returns the cosine similarity, limited to the range from 0 to 1', () => {
    expect([0.4, -0.4, 1.000_001].map(normalizeCosine)).toEqual([0.4, 0, 1]);
  });
});
