import { describe, expect, it } from 'vitest';
import type { Line } from './line.js';
import { cellsOf } from './row-cells.js';

const line = (...cells: readonly (readonly [text: string, left: number, right: number])[]): Line => ({
  segments: cells.map(([text, left, right]) => ({ text, left, right })),
  ...{ left: 0, right: 1, bottom: 0, top: 1, size: 1, bold: false, upright: true, hyphenated: false },
});

describe('the cells of rows', () => {
  it('stand below each other, and are empty where a row has none', () => {
    const rows = [
      line(['Part', 0, 20], ['Price', 50, 70], ['Months', 90, 120]),
      line(['Filter', 0, 25], ['6', 110, 115]),
      line(['Lid', 0, 25], ['1.00', 55, 70], ['7', 110, 115]),
    ];
    expect(cellsOf(rows)?.rows).toEqual([
      ['Part', 'Price', 'Months'],
      ['Filter', '', '6'],
      ['Lid', '1.00', '7'],
    ]);
  });

  it('are of the first column they touch where they go over two', () => {
    const rows = [line(['Part Price', 10, 60]), line(['a', 0, 20], ['b', 50, 70]), line(['c', 0, 20], ['d', 50, 70])];
    expect(cellsOf(rows)?.rows[0]).toEqual(['Part Price', '']);
  });

  it('are not told where few rows have the same columns, or where rows are read from the right', () => {
    const row = line(['a', 0, 20], ['b', 50, 70]);
    expect(cellsOf([row, line(['x', 10, 60]), line(['y', 10, 60])])).toBeUndefined();
    expect(cellsOf([row, line(['a', 0, 55], ['b', 60, 70])])).toBeUndefined();
    expect(cellsOf([line(['one', 50, 70], ['two', 0, 20])])).toBeUndefined();
  });
});
