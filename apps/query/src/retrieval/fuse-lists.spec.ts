import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fuseLists, type RankedList } from './fuse-lists.js';

interface Item {
  readonly id: string;
  readonly score: number;
}

const LIMIT = 8;

function createRankedList(scores: Readonly<Record<string, number>>, weight = 1): RankedList<Item> {
  const items = Object.entries(scores).map(([id, score]) => ({ id, score }));
  items.sort((one, other) => other.score - one.score);
  return { items, limit: LIMIT, weight, normalizeBest: (best) => Math.min(1, Math.max(0, best)) };
}

const score = fc.double({ min: -1, max: 1, noNaN: true });
const scores = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'), score, { maxKeys: LIMIT });
const weight = fc.double({ min: 0.01, max: 1, noNaN: true });
const list = fc.tuple(scores, weight).map(([found, itsWeight]) => createRankedList(found, itsWeight));

function mapIdsToScores(lists: readonly RankedList<Item>[]): Map<string, number> {
  return new Map(fuseLists(lists).map(({ item, score: value }) => [item.id, value]));
}

describe('fuseLists', () => {
  it('fuseLists returns each item once, with a score between 0 and 1, best first', () => {
    fc.assert(
      fc.property(fc.array(list, { maxLength: 4 }), (lists) => {
        const fused = fuseLists(lists);
        expect(fused.every(({ score: value }) => value >= 0 && value <= 1)).toBe(true);
        expect(fused).toEqual(fused.toSorted((one, other) => other.score - one.score));
        expect(new Set(fused.map(({ item }) => item.id)).size).toBe(fused.length);
        const given = new Set(lists.flatMap(({ items }) => items.map(({ id }) => id)));
        expect(given.size).toBe(fused.length);
      }),
    );
  });

  it('fuseLists keeps the order of a single ranked list', () => {
    fc.assert(
      fc.property(list, (only) => {
        expect(fuseLists([only]).map(({ item }) => item.id)).toEqual(only.items.map(({ id }) => id));
      }),
    );
  });

  it('fuseLists never ranks an item below another item that has a lower score in every list', () => {
    fc.assert(
      fc.property(list, list, (one, other) => {
        const fused = mapIdsToScores([one, other]);
        const scoreIn = ({ items }: RankedList<Item>, id: string): number =>
          items.find((item) => item.id === id)?.score ?? -Infinity;
        for (const [id, value] of fused)
          for (const [rival, rivalValue] of fused) {
            const preferred = [one, other].every((found) => scoreIn(found, id) >= scoreIn(found, rival));
            if (preferred) expect(value).toBeGreaterThanOrEqual(rivalValue - 1e-12);
          }
      }),
    );
  });

  it('fuseLists ignores a ranked list with the weight 0', () => {
    fc.assert(
      fc.property(list, scores, (counted, ignored) => {
        expect(fuseLists([counted, createRankedList(ignored, 0)])).toEqual(fuseLists([counted]));
        expect(fuseLists([createRankedList(ignored, 0), counted])).toEqual(fuseLists([counted]));
      }),
    );
  });

  it('fuseLists returns the same scores if all weights are multiplied by the same factor', () => {
    const factor = fc.double({ min: 0.1, max: 20, noNaN: true });
    fc.assert(
      fc.property(fc.array(list, { minLength: 1, maxLength: 4 }), factor, (lists, by) => {
        const scaled = mapIdsToScores(lists.map((each) => ({ ...each, weight: each.weight * by })));
        for (const [id, value] of mapIdsToScores(lists)) expect(scaled.get(id)).toBeCloseTo(value, 9);
      }),
    );
    const [only] = fuseLists([createRankedList({ a: 0.5 }, 0.2), createRankedList({ a: 0.5 }, 0.2)]);
    expect(only?.score).toBeCloseTo(0.5);
  });

  it('if a list is full, fuseLists scores its best item with `normalizeBest`, its last item with 0, and the others in proportion', () => {
    const full = createRankedList(
      Object.fromEntries(Array.from({ length: LIMIT }, (_, at) => [`i${at}`, 0.9 - at * 0.1])),
    );
    const values = fuseLists([full]).map(({ score: value }) => value);
    expect(values[0]).toBeCloseTo(0.9);
    expect(values.at(-1)).toBeCloseTo(0);
    expect((values[1] ?? 0) - (values[2] ?? 0)).toBeCloseTo((values[5] ?? 0) - (values[6] ?? 0));
  });

  it('fuseLists scores the last item of a list above 0 if the list is shorter than its limit', () => {
    const [, last] = fuseLists([createRankedList({ a: 0.8, b: 0.7 })]);
    expect(last?.score).toBeGreaterThan(0.6);
  });

  it('fuseLists ranks an item that is in both lists above the best items that are in only one list', () => {
    const dense = createRankedList({ both: 0.6, dense: 0.65, other: 0.1 });
    const lexical = createRankedList({ lexical: 0.7, both: 0.6, another: 0.1 });
    expect(fuseLists([dense, lexical])[0]?.item.id).toBe('both');
  });

  it('fuseLists multiplies the score of each item by the factor that the list’s function `weighItem` returns', () => {
    const plain = createRankedList({ first: 0.8, second: 0.7 });
    const weighed = { ...plain, weighItem: ({ id }: Item): number => (id === 'first' ? 0.5 : 1) };
    const [before, after] = [mapIdsToScores([plain]), mapIdsToScores([weighed])];
    expect(after.get('first')).toBeCloseTo((before.get('first') ?? 0) / 2);
    expect(after.get('second')).toBe(before.get('second'));
    expect([...after.keys()]).toEqual(['second', 'first']);
  });

  it('fuseLists returns no items if there are no lists', () => {
    expect(fuseLists([])).toEqual([]);
    expect(fuseLists([createRankedList({})])).toEqual([]);
  });
});
