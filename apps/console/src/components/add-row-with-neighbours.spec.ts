import { describe, expect, it } from 'vitest';
import { addRowWithNeighbours } from './add-row-with-neighbours.js';

describe('addRowWithNeighbours', () => {
  it('addRowWithNeighbours adds a row outside the visible range, and the rows directly before and after this row', () => {
    expect(addRowWithNeighbours([10, 11, 12], 3, 100)).toEqual([2, 3, 4, 10, 11, 12]);
    expect(addRowWithNeighbours([10, 11, 12], 40, 100)).toEqual([10, 11, 12, 39, 40, 41]);
  });

  it('addRowWithNeighbours adds neither a visible row a second time nor an index outside the list', () => {
    expect(addRowWithNeighbours([0, 1], 0, 2)).toEqual([0, 1]);
    expect(addRowWithNeighbours([10, 11, 12], 9, 13)).toEqual([8, 9, 10, 11, 12]);
    expect(addRowWithNeighbours([0, 1, 2], 99, 100)).toEqual([0, 1, 2, 98, 99]);
  });

  it('addRowWithNeighbours adds no row for the index -1', () => {
    expect(addRowWithNeighbours([10, 11], -1, 100)).toEqual([10, 11]);
  });
});
