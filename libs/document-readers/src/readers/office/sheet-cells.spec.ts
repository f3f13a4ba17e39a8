import { describe, expect, it } from 'vitest';
import { sheetCells } from './sheet-cells.js';

const cells = (rows: string, behind = ''): readonly (readonly string[])[] =>
  sheetCells(`<worksheet><sheetData>${rows}</sheetData>${behind}</worksheet>`, ({ value }) => value);

describe("a sheet's cells", () => {
  it('stand where their references say, in whatever order they are written', () => {
    const rows = cells(
      '<row r="3"><c r="B3"><v>d</v></c><c r="A3"><v>c</v></c></row><row r="1"><c r="A1"><v>a</v></c></row>',
    );
    expect(rows).toEqual([['a'], [], ['c', 'd']]);
  });

  it('stand behind one another where they have no references', () => {
    expect(cells('<row><c><v>a</v></c><c/><c><v>c</v></c></row><row><c><v>d</v></c></row>')).toEqual([
      ['a', '', 'c'],
      ['d'],
    ]);
  });

  it('are read with any prefix, their formulas left out and the parts of their text joined', () => {
    const rows = cells(
      '<x:row r="1"><x:c r="A1"><x:f>A2</x:f><x:v>5</x:v></x:c><x:c r="B1" t="inlineStr"><x:is><x:r><x:t>a</x:t></x:r><x:r><x:t>b</x:t></x:r></x:is></x:c></x:row>',
    );
    expect(rows).toEqual([['5', 'ab']]);
  });

  it('take no room for the columns between them', () => {
    expect(cells('<row r="2"><c r="A2"><v>a</v></c><c r="XFD2"><v>b</v></c></row>')).toEqual([[], ['a', '', 'b']]);
  });

  it('are left out beyond the last row and the last column that a sheet can have', () => {
    expect(
      cells('<row r="9999999"><c r="A9999999"><v>a</v></c></row><row r="1"><c r="ZZZ1"><v>b</v></c></row>'),
    ).toEqual([]);
  });

  it('stand in all places that a merge covers, which may reach beyond what is filled', () => {
    const rows = '<row r="1"><c r="A1"><v>a</v></c><c r="E1"><v>e</v></c></row><row r="2"><c r="A2"><v>b</v></c></row>';
    expect(cells(rows, '<mergeCells><mergeCell ref="E1:XFD1048576"/></mergeCells>')).toEqual([
      ['a', '', 'e'],
      ['b', '', 'e'],
    ]);
  });
});
