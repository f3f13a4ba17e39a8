import { expect, it } from 'vitest';
import { compareRanks } from './compare-ranks.js';

it('compareRanks reports for each result whether its rank moved or stayed, or whether the other side lacks it', () => {
  expect(compareRanks(['a', 'b', 'c'], ['a', 'c', 'd'])).toEqual([
    { kind: 'same' },
    { kind: 'only' },
    { kind: 'moved', by: -1, otherRank: 2 },
  ]);
  expect(compareRanks(['c'], ['a', 'b', 'c'])).toEqual([{ kind: 'moved', by: 2, otherRank: 3 }]);
});
