import { describe, expect, it } from 'vitest';
import { assignColumnHeaders } from './column-headers.js';

type Cell = readonly [text: string, left: number, right: number];

/** Horizontal intervals of a column of row labels and of two pairs of columns of amounts, in points. */
const COLUMNS = [
  { left: 0, right: 100 },
  { left: 150, right: 200 },
  { left: 210, right: 260 },
  { left: 300, right: 350 },
  { left: 360, right: 410 },
];
const YEARS: readonly Cell[] = [
  ['2024', 178, 200],
  ['2023', 238, 260],
  ['2024', 328, 350],
  ['2023', 388, 410],
];

const assignHeaderNames = (...rows: readonly (readonly Cell[])[]): readonly (readonly string[])[] =>
  assignColumnHeaders(
    rows.map((cells) => cells.map(([text, left, right]) => ({ text, left, right }))),
    COLUMNS,
  );

describe('assignColumnHeaders', () => {
  it('assignColumnHeaders assigns a header to the column over which it is centred, or with which it is right-aligned', () => {
    expect(assignHeaderNames(YEARS)).toEqual([['', '2024', '2023', '2024', '2023']]);
    expect(assignHeaderNames([['Profit', 320, 350]])).toEqual([['', '', '', 'Profit', '']]);
    expect(assignHeaderNames([['Profit and loss', 195, 275]])).toEqual([['', '', 'Profit and loss', '', '']]);
  });

  it('assignColumnHeaders assigns a header that spans two columns, or is above the gap between them, to both columns', () => {
    const both = ['', 'Quarter', 'Quarter', 'Half', 'Half'];
    expect(
      assignHeaderNames([
        ['Quarter', 180, 230],
        ['Half', 340, 370],
      ]),
    ).toEqual([both]);
    expect(
      assignHeaderNames([
        ['Quarter', 201, 209],
        ['Half', 351, 359],
      ]),
    ).toEqual([both]);
    expect(assignHeaderNames([['Half', 351, 359]])).toEqual([['', '', '', 'Half', 'Half']]);
  });

  it('assignColumnHeaders assigns a wide header to two columns if it is right-aligned with the second column', () => {
    const quarters: readonly Cell[] = [
      ['Three months ended', 190, 260],
      ['Six months ended', 345, 410],
    ];
    const months: readonly Cell[] = [
      ['March 31,', 216, 260],
      ['March 31,', 368, 410],
    ];
    expect(assignHeaderNames(quarters, months, YEARS)).toEqual([
      ['', 'Three months ended', 'Three months ended', 'Six months ended', 'Six months ended'],
      ['', 'March 31,', 'March 31,', 'March 31,', 'March 31,'],
      ['', '2024', '2023', '2024', '2023'],
    ]);
  });

  it('assignColumnHeaders puts a header that applies to all columns into the column of the row labels', () => {
    const title: Cell = ['In millions', 250, 310];
    expect(assignHeaderNames([title], YEARS)).toEqual([
      ['In millions', '', '', '', ''],
      ['', '2024', '2023', '2024', '2023'],
    ]);
    expect(assignHeaderNames([['Part', 0, 30], ...YEARS])).toEqual([['Part', '2024', '2023', '2024', '2023']]);
  });

  it('if a header row repeats a sequence of headers, assignColumnHeaders assigns an equal number of columns to each header in the row above', () => {
    const years: readonly Cell[] = [
      ['2024', 238, 260],
      ['2023', 388, 410],
    ];
    const below: readonly Cell[] = [
      ['Shares', 160, 200],
      ['Amount', 215, 260],
      ['Shares', 310, 350],
      ['Amount', 365, 410],
    ];
    expect(assignHeaderNames(years, below)[0]).toEqual(['', '2024', '2024', '2023', '2023']);
  });
});
