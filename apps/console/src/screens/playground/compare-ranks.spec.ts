import { expect, it } from 'vitest';
import { compareRanks, type RankedResults } from './compare-ranks.js';

const rank = (ids: Readonly<Record<string, readonly string[]>>): RankedResults => new Map(Object.entries(ids));

it('compareRanks reports for each result whether its rank on the other side is the same or different, or the result is missing there', () => {
  expect(compareRanks(rank({ store: ['a', 'b', 'c'] }), rank({ store: ['a', 'c', 'd'] })).get('store')).toEqual([
    { kind: 'same' },
    { kind: 'only' },
    { kind: 'moved', by: -1, otherRank: 2 },
  ]);
  expect(compareRanks(rank({ store: ['c'] }), rank({ store: ['a', 'b', 'c'] })).get('store')).toEqual([
    { kind: 'moved', by: 2, otherRank: 3 },
  ]);
});

it('compareRanks counts the ranks in each datastore separately', () => {
  const changes = compareRanks(
    rank({ handbook: ['a', 'b'], shop: ['x', 'y'] }),
    rank({ handbook: ['a'], shop: ['y', 'x'] }),
  );
  expect(changes.get('handbook')).toEqual([{ kind: 'same' }, { kind: 'only' }]);
  expect(changes.get('shop')).toEqual([
    { kind: 'moved', by: 1, otherRank: 2 },
    { kind: 'moved', by: -1, otherRank: 1 },
  ]);
});
