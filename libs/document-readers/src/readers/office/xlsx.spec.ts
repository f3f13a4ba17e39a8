import { describe, expect, it } from 'vitest';
import { readEvaluationFile, hasEvaluationFiles, EVALUATION_FILES_NOTE } from '../../testing/evaluation-files.js';
import { setDeclaredSize, makeChart, makeXlsx, createRelationships } from '../../testing/make-office.js';
import { readBlocks } from '../../testing/read-blocks.js';
import { readXlsx } from './xlsx.js';

const readXlsxBlocks = async (bytes: Uint8Array) => (await readBlocks(readXlsx, bytes)).blocks;

const DRAWING_RELATIONSHIPS = createRelationships({ x: ['chart', 'chart1.xml'], m: ['diagramData', 'data1.xml'] });
const DRAWING = '<d xmlns:r="r"><txBody><p><r><t>A note.</t></r></p></txBody><graphic><relIds r:dm="m"/></graphic></d>';
const DIAGRAM = '<d><pt><t><a:p xmlns:a="a"><a:r><a:t>A box.</a:t></a:r></a:p></t></pt></d>';

describe('readXlsx', () => {
  it('readXlsx yields the table of each sheet, with the name of the sheet and the number of the first row below the column headers', async () => {
    const { blocks, progress } = await readBlocks(
      readXlsx,
      makeXlsx({
        Prices: [
          ['Part', 'Price', 'Since'],
          ['Filter', 4.5, { days: 45292 }],
          ['Battery', 0.1 + 0.2, { days: 45292.5 }],
        ],
        Stock: [[], [], ['Part', 'Pieces'], ['Filter', 12]],
      }),
    );
    expect(blocks).toMatchObject([
      { kind: 'heading', text: 'Prices', location: 'sheet Prices' },
      {
        kind: 'table',
        text: '| Part | Price | Since |\n|---|---|---|\n| Filter | 4.5 | 2024-01-01 |\n| Battery | 0.3 | 2024-01-01 12:00 |',
        headingPath: ['Prices'],
        location: 'sheet Prices',
        headerLines: 2,
        firstRow: 2,
      },
      { kind: 'heading', text: 'Stock', location: 'sheet Stock' },
      { text: '| Part | Pieces |\n|---|---|\n| Filter | 12 |', location: 'sheet Stock', firstRow: 4 },
    ]);
    expect(progress.at(-1)).toEqual({ done: 2, total: 2, unit: 'sheets' });
  });

  it('readXlsx formats numbers with the formats of their cells, reads Boolean values, dates and texts, and omits error values', async () => {
    const rows = [
      ['Rate', 'Price', 'Days', 'Paid', 'Ratio', 'Since'],
      [
        { value: 0.125, format: '0.0%' },
        { value: 1234.5, format: '#,##0.00 "€"' },
        { value: 7, format: '000' },
        { value: '1', type: 'b' },
        { value: '#DIV/0!', type: 'e' },
        { value: '2024-01-01T12:00', type: 'd' },
      ],
      ['a', 'b', 'c', 'd', { value: 'e_x000D_', type: 'str' }, 'f'],
    ];
    const [, table] = await readXlsxBlocks(makeXlsx({ Prices: rows }));
    expect(table?.text.split('\n').slice(2)).toEqual([
      '| 12.5% | 1234.5 € | 007 | TRUE |  | 2024-01-01 12:00 |',
      '| a | b | c | d | e | f |',
    ]);
  });

  it('readXlsx counts days from 1904 if the workbook uses the date system of 1904', async () => {
    const blocks = await readXlsxBlocks(makeXlsx({ Days: [['Since', { days: 43830 }]] }, { from1904: true }));
    expect(blocks[1]?.text).toBe('| Since | 2024-01-01 |');
  });

  it('readXlsx reads a line above a table as the title of the table, and an empty row as the end of the table', async () => {
    const rows = [
      ['Ducks per year'],
      ['Year', 'Ducks'],
      [2023, 160],
      [],
      ['Geese per year'],
      ['Year', 'Geese'],
      [2023, 40],
      [],
      ['A note.'],
      ['Another.'],
    ];
    const blocks = await readXlsxBlocks(makeXlsx({ Birds: rows }));
    expect(blocks.map(({ kind, text, headingPath }) => [kind, text, headingPath.join(' › ')])).toEqual([
      ['heading', 'Birds', 'Birds'],
      ['heading', 'Ducks per year', 'Birds › Ducks per year'],
      ['table', '| Year | Ducks |\n|---|---|\n| 2023 | 160 |', 'Birds › Ducks per year'],
      ['heading', 'Geese per year', 'Birds › Geese per year'],
      ['table', '| Year | Geese |\n|---|---|\n| 2023 | 40 |', 'Birds › Geese per year'],
      ['text', 'A note.\nAnother.', 'Birds'],
    ]);
    expect(blocks[4]?.firstRow).toBe(7);
  });

  it('readXlsx reads two adjacent tables separately, but a table with an empty column as one table', async () => {
    const beside = [
      ['Year', 'Ducks'],
      [2023, 160, '', 'Year', 'Geese'],
      [2024, 170, '', 2023, 40],
    ];
    const spaced = [
      ['Year', 'Ducks', '', 'Geese', 'Swans'],
      [2023, 160, '', 40, 4],
    ];
    const blocks = await readXlsxBlocks(makeXlsx({ Beside: beside, Spaced: spaced }));
    expect(blocks.flatMap(({ kind, text, firstRow }) => (kind === 'table' ? [[firstRow, text]] : []))).toEqual([
      [2, '| Year | Ducks |\n|---|---|\n| 2023 | 160 |\n| 2024 | 170 |'],
      [3, '| Year | Geese |\n|---|---|\n| 2023 | 40 |'],
      [2, '| Year | Ducks | Geese | Swans |\n|---|---|---|---|\n| 2023 | 160 | 40 | 4 |'],
    ]);
  });

  it('readXlsx repeats a merged cell of a table in each position that the cell covers, but not a merged title above the table', async () => {
    const rows = [
      ['Birds of the lake', '', ''],
      ['Kind', 'Name', 'Count'],
      ['Duck', 'Teal', 3],
      ['', 'Mallard', 4],
    ];
    const blocks = await readXlsxBlocks(makeXlsx({ Birds: rows }, { merges: { Birds: ['A1:C1', 'A3:A4'] } }));
    expect(blocks.map(({ text }) => text)).toEqual([
      'Birds',
      'Birds of the lake',
      '| Kind | Name | Count |\n|---|---|---|\n| Duck | Teal | 3 |\n| Duck | Mallard | 4 |',
    ]);
  });

  it('readXlsx marks the name of a hidden sheet with “(hidden)”', async () => {
    const blocks = await readXlsxBlocks(makeXlsx({ Shown: [['a', 1]], Costs: [['b', 2]] }, { hidden: ['Costs'] }));
    expect(blocks.map(({ location, text }) => [location, text])).toEqual([
      ['sheet Shown', 'Shown'],
      ['sheet Shown', '| a | 1 |'],
      ['sheet Costs (hidden)', 'Costs (hidden)'],
      ['sheet Costs (hidden)', '| b | 2 |'],
    ]);
  });

  it('readXlsx reads text boxes, diagrams, charts and comments after the cells', async () => {
    const legacy =
      '<comments xmlns="x"><authors><author>Ada</author><author>tc={1}</author></authors><commentList><comment ref="B2" authorId="0"><text><t>Too </t><t>low?</t></text></comment><comment ref="A1" authorId="1"><text><t>[Threaded comment]</t></text></comment></commentList></comments>';
    const threaded =
      '<ThreadedComments><threadedComment ref="A1" personId="p"><text>Which year?</text></threadedComment></ThreadedComments>';
    const related = {
      Birds: [
        { id: 'c', type: 'comments', file: 'comments1.xml', xml: legacy },
        { id: 't', type: 'threadedComment', file: 'threaded1.xml', xml: threaded },
        { id: 'd', type: 'drawing', file: 'drawing1.xml', xml: DRAWING },
        { id: 'm', type: 'x', file: 'data1.xml', xml: DIAGRAM },
        { id: 'r', type: 'x', file: '_rels/drawing1.xml.rels', xml: DRAWING_RELATIONSHIPS },
        { id: 'x', type: 'x', file: 'chart1.xml', xml: makeChart('Ducks', [2023], { Fresh: [120] }) },
      ],
    };
    const blocks = await readXlsxBlocks(makeXlsx({ Birds: [] }, { related }));
    expect(blocks.map(({ text }) => text)).toEqual([
      'Birds',
      'A note.',
      'A box.',
      'Bar chart: Ducks',
      '|  | Fresh |\n|---|---|\n| 2023 | 120 |',
      'Comment by Ada on B2: Too low?\nComment on A1: Which year?',
    ]);
  });

  it('if a table has a very long header, readXlsx first lists the columns that have no values, and then writes each value on a line of its own', async () => {
    const createLongName = (name: string): string => `${name} ${'of the list '.repeat(40).trim()}`;
    const blocks = await readXlsxBlocks(
      makeXlsx({
        S: [
          [createLongName('Price'), createLongName('Colour'), 'Remark'],
          [5, createLongName('red')],
        ],
      }),
    );
    expect(blocks.slice(1).map(({ text }) => text)).toEqual([
      'Without values: Remark',
      `${createLongName('Price')}: 5\n${createLongName('Colour')}: ${createLongName('red')}`,
    ]);
  });

  it('readXlsx omits empty columns of a table', async () => {
    const blocks = await readXlsxBlocks(
      makeXlsx({
        S: [
          ['', 'a', '', 'b'],
          ['', 'x', '', 'y'],
        ],
      }),
    );
    expect(blocks[1]?.text).toBe('| a | b |\n|---|---|\n| x | y |');
  });

  it('readXlsx yields no blocks for empty sheets', async () => {
    await expect(readXlsxBlocks(makeXlsx({ A: [], B: [[]] }))).resolves.toEqual([]);
  });

  it('readXlsx does not unpack an archive that exceeds the size limit', async () => {
    const bomb = setDeclaredSize(makeXlsx({ A: [['x']] }), 'xl/worksheets/sheet1.xml', 455_000_000);
    await expect(readXlsxBlocks(bomb)).rejects.toMatchObject({ code: 'file_too_large' });
  });
});

describe.skipIf(!hasEvaluationFiles)(`readXlsx with real files (${EVALUATION_FILES_NOTE})`, () => {
  it.each([
    ['docling__xlsx_01.xlsx', ['| 3 | 3 | 3 |', '| 8 | 16 | 24 | 32 |']],
    ['docling__xlsx_05_table_with_title.xlsx', ['Number of freshwater ducks per year', '| 2021 | 150 |']],
    ['unstructured__stanley-cups.xlsx', ['Stanley Cups Since 67', '| Maple Leafs | TOR | 13 |']],
  ])('readXlsx reads the content of %s', async (file, expected) => {
    const text = (await readXlsxBlocks(readEvaluationFile(`files/${file}`))).map((block) => block.text).join('\n');
    for (const part of expected) expect(text).toContain(part);
  });

  it('readXlsx yields no blocks for an empty workbook', async () => {
    await expect(readXlsxBlocks(readEvaluationFile('files/unstructured__empty.xlsx'))).resolves.toEqual([]);
  });
});
