import { expect, it } from 'vitest';
import { compareRanks } from './compare-ranks.js';

it('compareRanks returns which results moved, stayed, or are only on one side', () => {
  expect(compareRanks(['a', 'b', 'c'], ['a', 'c', 'd'])).toEqual([
    { kind: 'same' },
    { kind: 'only' },
    { kind: 'moved', by: -1, otherRank: 2 },
  ]);
  expect(compareRanks(['c'], ['a', 'b', 'c'])).toEqual([{ kind: 'moved', by: 2, otherRank: 3 }]);
});
