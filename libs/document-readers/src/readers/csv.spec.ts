import { describe, expect, it } from 'vitest';
import { readEvaluationFile, hasEvaluationFiles, EVALUATION_FILES_NOTE } from '../testing/evaluation-files.js';
import { readBlocks } from '../testing/read-blocks.js';
import { splitBlocks } from '../testing/split-blocks.js';
import { readCsv } from './csv.js';

const readRows = async (content: string | Uint8Array): Promise<string> =>
  (await readBlocks(readCsv, content)).blocks.map((block) => block.text).join('\n~\n');

describe('readCsv', () => {
  it.each([',', ';', '\t', '|'])('readCsv detects the delimiter %j', async (delimiter) => {
    const lines = [
      ['name', 'price', 'in stock'],
      ['Filter', '4.5', 'yes'],
      ['Battery', '39', 'no'],
    ];
    await expect(readRows(lines.map((fields) => fields.join(delimiter)).join('\r\n'))).resolves.toBe(
      '| name | price | in stock |\n|---|---|---|\n| Filter | 4.5 | yes |\n| Battery | 39 | no |',
    );
  });

  it('readCsv reads a quoted field that contains delimiters and line ends as one table cell on one line', async () => {
    await expect(readRows('q,a\n"Who, where?","First\nline, ""second"" | third"')).resolves.toBe(
      '| q | a |\n|---|---|\n| Who, where? | First line, "second" \\| third |',
    );
  });

  it('readCsv detects the semicolon as the delimiter of a file whose fields contain commas', async () => {
    await expect(readRows('city;note\nLisbon;large, sunny, hilly\nOslo;cold')).resolves.toContain(
      '| large, sunny, hilly |',
    );
  });

  it.each([
    ['numbers only', '1,5;2,5\n3,5;4,5\n5,5;6,5', '| 1,5 | 2,5 |'],
    ['one number per line', 'Apfel;1,50\nBirne;2,50', '| Birne | 2,50 |'],
    ['a header without commas', `x;y\n${'3,25;4,75\n'.repeat(1_500)}`, '| 3,25 | 4,75 |'],
    ['tabs', '1,5\t2,5\n3,5\t4,5', '| 3,5 | 4,5 |'],
  ])('readCsv does not divide numbers at their decimal commas in a file with %s', async (_, content, row) => {
    await expect(readRows(content)).resolves.toContain(row);
  });

  it.each([
    ['numbers only', '1,2\n3,4\n5,6', '| 3 | 4 |'],
    ['a semicolon at the end of each line', '1,2,3;\n4,5,6;', '| 4 | 5 | 6; |'],
    ['a semicolon in a field of each line', 'a,b;c\nd,e;f', '| d | e;f |'],
  ])('readCsv divides lines at commas in a file with %s', async (_, content, row) => {
    await expect(readRows(content)).resolves.toContain(row);
  });

  it('readCsv reads a first row of numbers as data, and adds empty cells to rows with fewer fields than others', async () => {
    const { blocks } = await readBlocks(readCsv, '1,2,3\na,b,c,d');
    expect(blocks).toMatchObject([{ text: '| 1 | 2 | 3 |  |\n| a | b | c | d |', headerLines: 0, firstRow: 1 }]);
  });

  it('readCsv finds the column headers below a title, and reads the title as a heading', async () => {
    const { blocks } = await readBlocks(
      readCsv,
      'Travel of ministers;;\nJanuary;;\n;;\nname;city;price\nAnn;Oslo;5\nBea;Rome;7',
    );
    expect(blocks).toMatchObject([
      { kind: 'heading', text: 'Travel of ministers\nJanuary' },
      { text: '| name | city | price |\n|---|---|---|\n| Ann | Oslo | 5 |\n| Bea | Rome | 7 |', firstRow: 5 },
    ]);
    expect(blocks[1]?.headingPath).toEqual(['Travel of ministers\nJanuary']);
  });

  it('readCsv reads years in the first row as column headers, unless the rows below also contain years', async () => {
    await expect(readRows('museum,2011,2010\nOne,23,17\nTwo,4,5')).resolves.toMatch(
      /^\| museum \| 2011 \| 2010 \|\n\|---/,
    );
    await expect(readRows('Ann,1980\nBea,1981')).resolves.toBe('| Ann | 1980 |\n| Bea | 1981 |');
  });

  it('readCsv detects the delimiter of a large file with quoted fields of many lines', async () => {
    const note = Array.from({ length: 150 }, (_, line) => `Item ${line}; bought, sold, and lent again`).join('\n');
    const rows = Array.from({ length: 40 }, (_, row) => `${row};"${note}";open`);
    await expect(readRows(['id;note;state', ...rows].join('\n'))).resolves.toMatch(
      /^\| id \| note \| state \|\n\|---\|---\|---\|\n\| 0 \| Item 0; bought, sold/,
    );
  });

  it('readCsv uses the delimiter that Excel declares in a first line such as `sep=|`, and omits this line from the text', async () => {
    await expect(readRows('sep=|\na,b|c\nd,e|f')).resolves.toBe('| a,b | c |\n|---|---|\n| d,e | f |');
  });

  it('readCsv uses the tab that Excel declares as the delimiter in the first line', async () => {
    await expect(readRows('sep=\t\r\na,b\tc\r\nd,e\tf')).resolves.toBe('| a,b | c |\n|---|---|\n| d,e | f |');
  });

  it('readCsv reads a field as quoted if its opening quote follows white space', async () => {
    await expect(readRows('name, note\n"Frog", "crunchy,\nisn’t it"')).resolves.toBe(
      '| name | note |\n|---|---|\n| Frog | crunchy, isn’t it |',
    );
  });

  it('readCsv keeps empty fields between tabs', async () => {
    await expect(readRows('a\tb\tc\n1\t\t3')).resolves.toBe('| a | b | c |\n|---|---|---|\n| 1 |  | 3 |');
  });

  it('readCsv numbers the rows from the first line of the file, as a spreadsheet does', async () => {
    const { blocks } = await readBlocks(
      readCsv,
      `id,name\n${Array.from({ length: 1_200 }, (_, row) => `x${row + 2},y`).join('\n')}`,
    );
    expect(blocks.map((block) => [block.firstRow, block.headerLines])).toEqual([
      [2, 2],
      [502, 2],
      [1_002, 2],
    ]);
    expect(blocks[1]?.text.split('\n')[2]).toBe('| x502 | y |');
  });

  it('readCsv counts empty lines as rows, as a spreadsheet does, and omits them from the text', async () => {
    const { blocks } = await readBlocks(readCsv, '\n\na,b\n\n1,2\n\n3,4\n');
    expect(blocks.map((block) => block.text)).toEqual(['| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |']);
    expect(splitBlocks(blocks).map((fragment) => fragment.location)).toEqual(['rows 5–7']);
  });

  it('if a table has very many columns, the row number in each block location from readCsv also counts empty lines', async () => {
    const row = Array.from({ length: 120 }, (_, column) => `column ${column}`).join(',');
    const { blocks } = await readBlocks(readCsv, `${row}\n\n${row}\n\n\n${row}`);
    expect(blocks.map((block) => block.location)).toEqual(['row 3', 'row 6']);
  });

  it('if a table has very many columns, readCsv writes each value on its own line, such as `column 0: value 0`', async () => {
    const names = Array.from({ length: 120 }, (_, column) => `column ${column}`);
    const values = names.map((_, column) => (column % 2 === 0 ? `value ${column}` : ''));
    const { blocks } = await readBlocks(readCsv, [names, values, values].map((row) => row.join(',')).join('\n'));
    expect(blocks.map((block) => block.location)).toEqual([null, 'row 2', 'row 3']);
    expect(blocks[0]?.text).toMatch(/^Without values: column 1, column 3, /);
    expect(blocks[1]?.text).toMatch(/^column 0: value 0\ncolumn 2: value 2\n/);
  });

  it('readCsv keeps the text after a quote that is never closed', async () => {
    await expect(readRows('size,name\n5" x,screw\n"open,nail')).resolves.toContain('nail');
  });

  it('readCsv reads a file with a single column as a table, and yields no blocks for an empty file', async () => {
    await expect(readRows('only\none\ncolumn')).resolves.toBe('| only |\n|---|\n| one |\n| column |');
    await expect(readRows('')).resolves.toBe('');
    await expect(readRows('\n\n')).resolves.toBe('');
  });

  it.skipIf(!hasEvaluationFiles)(`readCsv reads real files (${EVALUATION_FILES_NOTE})`, async () => {
    await expect(readRows(readEvaluationFile('files/docling__csv-comma.csv'))).resolves.toContain(
      '| Preston | Lozano, Dr |',
    );
    await expect(readRows(readEvaluationFile('files/docling__csv-semicolon.csv'))).resolves.toContain(
      '| Preston | Lozano |',
    );
    await expect(readRows(readEvaluationFile('files/docling__csv-inconsistent-header.csv'))).resolves.toContain(
      '| a | b | c | d |',
    );
    await expect(readRows(readEvaluationFile('files/unstructured__stanley-cups-utf-16.csv'))).resolves.toContain(
      'Maple Leafs',
    );
  });
});
