import { expect, it } from 'vitest';
import { comparePrograms } from './compare-programs.js';

it('comparePrograms compares the speeds of Quarry and each program in the same round, and returns the medians over all rounds', () => {
  const ways = [1, 8, 2].flatMap((load) => [
    { way: 'Quarry', documents: 10, fragments: 30, seconds: load },
    { way: 'other', documents: 10, fragments: 15, seconds: load * (load === 8 ? 1 : 2) },
  ]);
  expect(comparePrograms(ways)).toEqual([
    { way: 'Quarry', documents: 10, fragments: 30, seconds: 2, documentRatio: 1, fragmentRatio: 1 },
    { way: 'other', documents: 10, fragments: 15, seconds: 4, documentRatio: 2, fragmentRatio: 4 },
  ]);
});
