import { describe, expect, it } from 'vitest';
import type { Line } from './line.js';
import { findTableCells } from './table-cells.js';

const createLine = (...cells: readonly (readonly [text: string, left: number, right: number])[]): Line => ({
  segments: cells.map(([text, left, right]) => ({ text, left, right })),
  ...{ left: 0, right: 1, bottom: 0, top: 1, size: 1, bold: false, upright: true, hyphenated: false },
});

describe('findTableCells', () => {
  it('findTableCells assigns the cells of rows to columns, and adds empty cells for missing cells', () => {
    const rows = [
      createLine(['Part', 0, 20], ['Price', 50, 70], ['Months', 90, 120]),
      createLine(['Filter', 0, 25], ['6', 110, 115]),
      createLine(['Lid', 0, 25], ['1.00', 55, 70], ['7', 110, 115]),
    ];
    expect(findTableCells(rows)?.rows).toEqual([
      ['Part', 'Price', 'Months'],
      ['Filter', '', '6'],
      ['Lid', '1.00', '7'],
    ]);
  });

  it('findTableCells assigns a cell that spans two columns to the first of these columns', () => {
    const rows = [
      createLine(['Part Price', 10, 60]),
      createLine(['a', 0, 20], ['b', 50, 70]),
      createLine(['c', 0, 20], ['d', 50, 70]),
    ];
    expect(findTableCells(rows)?.rows[0]).toEqual(['Part Price', '']);
  });

  it('findTableCells returns undefined if few rows have the same columns, or if the cells run from right to left', () => {
    const row = createLine(['a', 0, 20], ['b', 50, 70]);
    expect(findTableCells([row, createLine(['x', 10, 60]), createLine(['y', 10, 60])])).toBeUndefined();
    expect(findTableCells([row, createLine(['a', 0, 55], ['b', 60, 70])])).toBeUndefined();
    expect(findTableCells([createLine(['one', 50, 70], ['two', 0, 20])])).toBeUndefined();
  });
});
