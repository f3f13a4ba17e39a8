import { describe, expect, it } from 'vitest';
import { readSheetCells } from './sheet-cells.js';

const readCells = (rows: string, behind = ''): readonly (readonly string[])[] =>
  readSheetCells(`<worksheet><sheetData>${rows}</sheetData>${behind}</worksheet>`, ({ value }) => value);

describe('readSheetCells', () => {
  it('readSheetCells places cells by references such as `B3`, in whatever order the cells are stored', () => {
    const rows = readCells(
      '<row r="3"><c r="B3"><v>d</v></c><c r="A3"><v>c</v></c></row><row r="1"><c r="A1"><v>a</v></c></row>',
    );
    expect(rows).toEqual([['a'], [], ['c', 'd']]);
  });

  it('readSheetCells places cells without references one after the other', () => {
    expect(readCells('<row><c><v>a</v></c><c/><c><v>c</v></c></row><row><c><v>d</v></c></row>')).toEqual([
      ['a', '', 'c'],
      ['d'],
    ]);
  });

  it('readSheetCells accepts elements with any namespace prefix, omits formulas, and joins the runs of a text', () => {
    const rows = readCells(
      '<x:row r="1"><x:c r="A1"><x:f>A2</x:f><x:v>5</x:v></x:c><x:c r="B1" t="inlineStr"><x:is><x:r><x:t>a</x:t></x:r><x:r><x:t>b</x:t></x:r></x:is></x:c></x:row>',
    );
    expect(rows).toEqual([['5', 'ab']]);
  });

  it('readSheetCells replaces several empty columns between distant cells by one empty column', () => {
    expect(readCells('<row r="2"><c r="A2"><v>a</v></c><c r="XFD2"><v>b</v></c></row>')).toEqual([[], ['a', '', 'b']]);
  });

  it('readSheetCells omits cells beyond the last possible row and column', () => {
    expect(
      readCells('<row r="9999999"><c r="A9999999"><v>a</v></c></row><row r="1"><c r="ZZZ1"><v>b</v></c></row>'),
    ).toEqual([]);
  });

  it('readSheetCells repeats the text of a merged cell in the existing rows and columns that the cell covers, but adds no rows or columns', () => {
    const rows = '<row r="1"><c r="A1"><v>a</v></c><c r="E1"><v>e</v></c></row><row r="2"><c r="A2"><v>b</v></c></row>';
    expect(readCells(rows, '<mergeCells><mergeCell ref="E1:XFD1048576"/></mergeCells>')).toEqual([
      ['a', '', 'e'],
      ['b', '', 'e'],
    ]);
  });
});
