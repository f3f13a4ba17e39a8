import { describe, expect, it } from 'vitest';
import { namesOfColumns } from './names-of-columns.js';

type Cell = readonly [text: string, left: number, right: number];

/** Of names, and two pairs of amounts. */
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

const names = (...rows: readonly (readonly Cell[])[]): readonly (readonly string[])[] =>
  namesOfColumns(
    rows.map((cells) => cells.map(([text, left, right]) => ({ text, left, right }))),
    COLUMNS,
  );

describe('the names of columns', () => {
  it('are of each column they are centred over, or end with', () => {
    expect(names(YEARS)).toEqual([['', '2024', '2023', '2024', '2023']]);
    expect(names([['Profit', 320, 350]])).toEqual([['', '', '', 'Profit', '']]);
    expect(names([['Profit and loss', 195, 275]])).toEqual([['', '', 'Profit and loss', '', '']]);
  });

  it('are of all columns that one stands over, between or in the middle of', () => {
    const both = ['', 'Quarter', 'Quarter', 'Half', 'Half'];
    expect(
      names([
        ['Quarter', 180, 230],
        ['Half', 340, 370],
      ]),
    ).toEqual([both]);
    expect(
      names([
        ['Quarter', 201, 209],
        ['Half', 351, 359],
      ]),
    ).toEqual([both]);
    expect(names([['Half', 351, 359]])).toEqual([['', '', '', 'Half', 'Half']]);
  });

  it('are of all columns up to that which they end with, where they are wider than it', () => {
    const quarters: readonly Cell[] = [
      ['Three months ended', 190, 260],
      ['Six months ended', 345, 410],
    ];
    const months: readonly Cell[] = [
      ['March 31,', 216, 260],
      ['March 31,', 368, 410],
    ];
    expect(names(quarters, months, YEARS)).toEqual([
      ['', 'Three months ended', 'Three months ended', 'Six months ended', 'Six months ended'],
      ['', 'March 31,', 'March 31,', 'March 31,', 'March 31,'],
      ['', '2024', '2023', '2024', '2023'],
    ]);
  });

  it('come above the names of the rows where they are said of all columns, or stand there', () => {
    const title: Cell = ['In millions', 250, 310];
    expect(names([title], YEARS)).toEqual([
      ['In millions', '', '', '', ''],
      ['', '2024', '2023', '2024', '2023'],
    ]);
    expect(names([['Part', 0, 30], ...YEARS])).toEqual([['Part', '2024', '2023', '2024', '2023']]);
  });

  it('are of as many columns each, where those below are the same again and again', () => {
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
    expect(names(years, below)[0]).toEqual(['', '2024', '2024', '2023', '2023']);
  });
});
