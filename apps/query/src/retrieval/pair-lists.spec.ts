import type { ScoredFragment } from '@quarry/fragment-store';
import { describe, expect, it } from 'vitest';
import { createScoredFragment } from '../testing/knowledge.js';
import { fuseLists, type RankedList } from './fuse-lists.js';
import { pairLists } from './pair-lists.js';

type Found = RankedList<ScoredFragment>;

function createList(items: readonly ScoredFragment[], value: number, weight = 0.5): Found {
  return { items, limit: 10, weight, normalizeBest: () => value };
}

function createFragment(documentKey: string, ordinal: number, more: Partial<ScoredFragment>): ScoredFragment {
  return createScoredFragment(`${documentKey}${String(ordinal)}`, { documentKey, ordinal, ...more });
}

function fusePair(dense: Found, lexical: Found): string[] {
  const pair = pairLists({ dense, lexical });
  return fuseLists([pair.dense, pair.lexical]).map(({ item }) => item.id);
}

describe('pairLists', () => {
  it('pairLists gives the best dense and the best lexical fragment the same value: the weighted mean of their two values', () => {
    const dense = createList([createFragment('a', 0, { score: 0.9 })], 0.9, 0.6);
    const lexical = createList([createFragment('b', 0, { score: 7 })], 0.4, 0.4);
    const pair = pairLists({ dense, lexical });
    expect(pair.dense.normalizeBest(0.9)).toBeCloseTo(0.7);
    expect(pair.lexical.normalizeBest(7)).toBeCloseTo(0.7);
    expect(fuseLists([pair.dense, pair.lexical]).map(({ score }) => score.toFixed(2))).toEqual(['0.42', '0.28']);
  });

  it('pairLists adds the lexical results to the dense list with their similarities as scores', () => {
    const dense = createList([createFragment('a', 0, { score: 0.9 }), createFragment('b', 0, { score: 0.8 })], 0.9);
    const lexical = createList(
      [
        createFragment('c', 0, { score: 7, similarity: 0.7 }),
        createFragment('d', 0, { score: 6, similarity: 0.85 }),
        createFragment('b', 0, { score: 5, similarity: 0.8 }),
        createFragment('e', 0, { score: 4 }),
      ],
      0.4,
    );
    const { items, limit } = pairLists({ dense, lexical }).dense;
    expect(items.map(({ id, score }) => [id, score])).toEqual([
      ['a0', 0.9],
      ['d0', 0.85],
      ['b0', 0.8],
      ['c0', 0.7],
    ]);
    expect(limit).toBe(10);
  });

  it('if the dense list is full, pairLists gives its least similar result the value 0', () => {
    const dense = { ...createList([createFragment('a', 0, { score: 0.9 })], 0.9), limit: 1 };
    const lexical = createList([createFragment('b', 0, { score: 7, similarity: 0.3 })], 0.9, 1e-9);
    const pair = pairLists({ dense, lexical });
    const fused = fuseLists([pair.dense, pair.lexical]).map(({ item, score }) => [item.id, Number(score.toFixed(6))]);
    expect(fused).toEqual([
      ['a0', 0.9],
      ['b0', 0],
    ]);
  });

  it('if two dense results have similar scores, pairLists prefers the result whose document has the higher `documentMatch`', () => {
    const dense = createList(
      [createFragment('wrong', 1, { score: 0.81 }), createFragment('right', 1, { score: 0.8 })],
      0.8,
    );
    const lexical = createList(
      [
        createFragment('right', 0, { score: 6, documentMatch: 1 }),
        createFragment('right', 2, { score: 5, documentMatch: 1 }),
        createFragment('wrong', 0, { score: 2, documentMatch: 0.2 }),
        createFragment('wrong', 2, { score: 2, documentMatch: 0.2 }),
      ],
      0.5,
    );
    const order = fusePair(dense, lexical);
    expect(order.indexOf('right1')).toBeLessThan(order.indexOf('wrong1'));
    const unknown = createList([createFragment('none', 1, { score: 0.81 }), ...dense.items.slice(1)], 0.8);
    expect(fusePair(unknown, lexical).indexOf('right1')).toBeLessThan(fusePair(unknown, lexical).indexOf('none1'));
  });

  it('pairLists does not change the dense order if each lexical result is from a different document', () => {
    const dense = createList([createFragment('a', 1, { score: 0.81 }), createFragment('b', 1, { score: 0.8 })], 0.8);
    const lexical = createList(
      [
        createFragment('b', 0, { score: 6, documentMatch: 1 }),
        createFragment('a', 0, { score: 2, documentMatch: 0.1 }),
      ],
      0.5,
    );
    const { weighItem } = pairLists({ dense, lexical }).dense;
    expect(dense.items.map((item) => weighItem?.(item))).toEqual([1, 1]);
  });

  it('pairLists returns both lists unchanged if one of them has no results, the weight 0, or a best result with the value 0', () => {
    const found = createList([createFragment('a', 0, { score: 0.9, documentMatch: 1, similarity: 0.9 })], 0.9);
    const others = [createFragment('b', 0, { score: 0.8, documentMatch: 1, similarity: 0.8 })];
    for (const other of [createList([], 0.5), createList(others, 0), createList(others, 0.5, 0)]) {
      expect(pairLists({ dense: found, lexical: other })).toEqual({ dense: found, lexical: other });
      expect(pairLists({ dense: other, lexical: found })).toEqual({ dense: other, lexical: found });
    }
  });
});
