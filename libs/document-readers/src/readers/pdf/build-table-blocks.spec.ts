import { describe, expect, it } from 'vitest';
import { makePdf, type DrawnText } from '../../testing/make-pdf.js';
import { readBlocks } from '../../testing/read-blocks.js';
import { readPdf } from './pdf.js';

describe('a table over several pages of a PDF', () => {
  it('readPdf reads a table over several pages as one Markdown table per page, each with the column headers', async () => {
    const drawRow = (cells: readonly string[], row: number) =>
      cells.map((text, cell) => ({ x: 72 + cell * 120, y: 740 - row * 16, text }));
    const pages = [1, 2].map((page) => [
      ...drawRow(['Part', 'Price'], 0),
      ...drawRow([`Filter ${page}`, '4.50'], 1),
      ...drawRow([`Lid ${page}`, '0.80'], 2),
    ]);
    const { blocks } = await readBlocks(readPdf, makePdf(pages));
    expect(blocks.map(({ kind, text, page, headerLines }) => [kind, text, page, headerLines])).toEqual([
      ['table', '| Part | Price |\n|---|---|\n| Filter 1 | 4.50 |\n| Lid 1 | 0.80 |', 1, 2],
      ['table', '| Part | Price |\n|---|---|\n| Filter 2 | 4.50 |\n| Lid 2 | 0.80 |', 2, 2],
    ]);
  });
});

describe('a table at the end of a PDF', () => {
  it('readPdf reads a table over several pages as one table per page, and does not add the running foot to the last table', async () => {
    const pages = [1, 2, 3, 4].map((page) => [
      ...[
        ['Part', 'Price', 'Weight'],
        [`Filter ${page}`, '4.50', '7'],
        [`Lid ${page}`, '0.80', '9'],
      ].flatMap((cells, row) => cells.map((text, cell) => ({ x: 72 + cell * 120, y: 740 - row * 16, text }))),
      { x: 72, y: 40, text: 'Acme Stones Ltd, price list of spring' },
      { x: 400, y: 40, text: `Page ${page}` },
    ]);
    const { blocks } = await readBlocks(readPdf, makePdf(pages));
    const tables = blocks.slice(0, 4);
    expect(tables.map(({ page, headerLines }) => [page, headerLines])).toEqual([1, 2, 3, 4].map((page) => [page, 2]));
    for (const { text } of tables) expect(text).not.toContain('Acme');
    expect(blocks.at(-1)?.text).toContain('Acme Stones Ltd, price list of spring');
  });
});

describe('the number of header rows of a table in a PDF', () => {
  it('readPdf reads at most five rows as column headers', async () => {
    const drawRow = (cells: readonly string[], row: number): readonly DrawnText[] =>
      cells.flatMap((text, cell) => (text === '' ? [] : [{ x: 72 + cell * 120, y: 740 - row * 16, text }]));
    const headers = ['one', 'two', 'three', 'four', 'five'].map((word) => ['', `${word} a`, `${word} b`]);
    const rows = [...headers, ['Part', 'Price', 'Weight'], ['Filter', '4.50', '7'], ['Lid', '0.80', '9']];
    const { blocks } = await readBlocks(readPdf, makePdf([rows.flatMap(drawRow)]));
    expect(blocks.map(({ text }) => text.split('\n'))).toEqual([
      [
        '|  | one a two a three a four a five a | one b two b three b four b five b |',
        '|---|---|---|',
        '| Part | Price | Weight |',
        '| Filter | 4.50 | 7 |',
        '| Lid | 0.80 | 9 |',
      ],
    ]);
  });
});

describe('the column headers of a table in a PDF', () => {
  const AMOUNTS = [
    ['Revenue', '13,507', '6,704', '20,699', '14,992'],
    ['Interest expense', '(65)', '(65)', '(131)', '(132)'],
    ['Net income', '6,188', '656', '8,232', '2,274'],
  ];
  /** The right edges of the columns of amounts, in points. */
  const ENDS = [300, 370, 450, 520];
  const drawRightAligned = (text: string, end: number, y: number): DrawnText => ({ x: end - getWidth(text), y, text });
  const drawCentred = (text: string, middle: number, y: number): DrawnText => ({
    x: middle - getWidth(text) / 2,
    y,
    text,
  });
  const rows = AMOUNTS.flatMap(([name = '', ...amounts], row) => {
    const y = 600 - row * 14;
    const signs = row === 1 ? [] : ENDS.map((end) => ({ x: end - 45, y, text: '$' }));
    const cells = amounts.map((amount, index) => drawRightAligned(amount, ENDS[index] ?? 0, y));
    return [{ x: 72, y, text: name }, ...cells.flatMap((cell, index) => [...signs.slice(index, index + 1), cell])];
  });
  const drawTable = async (names: readonly DrawnText[]): Promise<readonly string[]> => {
    const { blocks } = await readBlocks(readPdf, makePdf([[...names, ...rows]]));
    expect(blocks.map(({ kind }) => kind)).toEqual(['table']);
    return blocks[0]?.text.split('\n') ?? [];
  };
  const BODY = [
    '|---|---|---|---|---|',
    '| Revenue | $ 13,507 | $ 6,704 | $ 20,699 | $ 14,992 |',
    '| Interest expense | (65) | (65) | (131) | (132) |',
    '| Net income | $ 6,188 | $ 656 | $ 8,232 | $ 2,274 |',
  ];

  it('readPdf repeats a header that spans several columns in each of these columns, and joins the header lines of each column', async () => {
    const years = ['2023', '2022', '2023', '2022'];
    const names = [
      ...[drawCentred('Three months', 315, 644), drawCentred('Six months', 465, 644)],
      ...ENDS.map((end) => drawCentred('July 30,', end - 20, 630)),
      ...years.map((year, index) => drawCentred(year, (ENDS[index] ?? 0) - 20, 616)),
    ];
    await expect(drawTable(names)).resolves.toEqual([
      '|  | Three months July 30, 2023 | Three months July 30, 2022 | Six months July 30, 2023 | Six months July 30, 2022 |',
      ...BODY,
    ]);
  });

  it('readPdf assigns two-line headers to their columns if the file draws one header after the other', async () => {
    const names = ENDS.flatMap((end, index) => [
      drawRightAligned(index % 2 === 0 ? 'Fair' : 'Total', end, 630),
      drawRightAligned(index % 2 === 0 ? 'Value' : 'Loss', end, 616),
    ]);
    await expect(drawTable(names)).resolves.toEqual([
      '|  | Fair Value | Total Loss | Fair Value | Total Loss |',
      ...BODY,
    ]);
  });

  it('if column headers are above the first section heading of a table, readPdf repeats the headers in each section', async () => {
    const named = ENDS.map((end, index) => drawRightAligned(String(2026 - index), end, 690));
    const drawTablePart = (heading: string, top: number) => [
      { x: 72, y: top, text: heading, bold: true },
      ...AMOUNTS.flatMap(([name = '', ...amounts], row) => [
        { x: 72, y: top - 20 - row * 14, text: name },
        ...amounts.map((amount, index) => drawRightAligned(amount, ENDS[index] ?? 0, top - 20 - row * 14)),
      ]),
    ];
    const text = {
      x: 72,
      y: 300,
      text: 'What else is to be said of it all stands here, in some lines of prose that are long enough.',
    };
    const { blocks } = await readBlocks(
      readPdf,
      makePdf([[...named, ...drawTablePart('ASSETS', 660), ...drawTablePart('DEBTS', 540), text]]),
    );
    const below = BODY.slice(1).map((row) => row.replaceAll('$ ', ''));
    const whole = ['|  | 2026 | 2025 | 2024 | 2023 |', BODY[0], ...below].join('\n');
    expect(blocks.slice(0, -1).map((block) => block.text)).toEqual(['ASSETS', whole, 'DEBTS', whole]);
  });

  it('readPdf assigns each centred header to one column, even if the headers are close to each other', async () => {
    const names = ['Debt securities', 'Equity', 'Cash held', 'Sum'].map((name, index) =>
      drawCentred(name, (ENDS[index] ?? 0) - 22, 616),
    );
    const close = [
      names[0],
      { ...drawCentred('Equity', 0, 616), x: (names[0]?.x ?? 0) + getWidth('Debt securities') + 8 },
      ...names.slice(2),
    ];
    await expect(drawTable(close.filter((name) => name !== undefined))).resolves.toEqual([
      '|  | Debt securities | Equity | Cash held | Sum |',
      ...BODY,
    ]);
  });
});

/** Returns the width of text in Helvetica at 11 points, from the font's metrics. */
function getWidth(text: string): number {
  const widths: Readonly<Record<string, number>> = {
    ' ': 278,
    ',': 278,
    '(': 333,
    ')': 333,
    '.': 278,
    i: 222,
    l: 222,
    t: 278,
    f: 278,
    r: 333,
    m: 833,
    s: 500,
    c: 500,
    v: 500,
    J: 500,
    y: 500,
    T: 611,
    F: 611,
    V: 667,
    S: 667,
    E: 667,
    C: 722,
    D: 722,
    L: 556,
  };
  return (Array.from(text, (letter) => widths[letter] ?? 556).reduce((sum, width) => sum + width, 0) * 11) / 1000;
}
