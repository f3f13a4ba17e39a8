import { describe, expect, it } from 'vitest';
import { readEvaluationFile, hasEvaluationFiles, EVALUATION_FILES_NOTE } from '../../testing/evaluation-files.js';
import { makeUnmappedPdf } from '../../testing/make-cjk-pdf.js';
import { layOutInColumn, makePdf, type DrawnText } from '../../testing/make-pdf.js';
import { readBlocks, formatBlocks } from '../../testing/read-blocks.js';
import { readPdf } from './pdf.js';

const listFormattedBlocks = async (...pages: readonly (readonly DrawnText[])[]): Promise<readonly string[]> =>
  formatBlocks((await readBlocks(readPdf, makePdf(pages))).blocks);

const PROSE = [
  'The warranty lasts for two years from the day on which you',
  'bought the machine. It covers every part but the batteries and',
  'the filters, which are worn out by their use.',
];
const WHOLE_PROSE = PROSE.join(' ');

describe('readPdf', () => {
  it('readPdf joins lines into paragraphs, and yields the page number of each paragraph', async () => {
    const { blocks, progress } = await readBlocks(
      readPdf,
      makePdf([
        [...layOutInColumn(PROSE), ...layOutInColumn(PROSE, { top: 660 })],
        layOutInColumn(['On the second page.']),
      ]),
    );
    expect(blocks.map(({ text, page }) => ({ text, page }))).toEqual([
      { text: WHOLE_PROSE, page: 1 },
      { text: WHOLE_PROSE, page: 1 },
      { text: 'On the second page.', page: 2 },
    ]);
    expect(progress.at(-1)).toEqual({ done: 2, total: 2, unit: 'pages' });
  });

  it('readPdf joins the two parts of a paragraph that continues on the next page', async () => {
    await expect(
      listFormattedBlocks(layOutInColumn(PROSE.slice(0, 2)), layOutInColumn(PROSE.slice(2))),
    ).resolves.toEqual([`[] text: ${WHOLE_PROSE}`]);
  });

  it('readPdf rejoins words that are hyphenated at a line end, and keeps hyphens that belong to a word', async () => {
    const lines = [
      'A well-known retriever was found to be very effi-',
      'cient by everybody who tried it out on our well-',
      'known questions, and better than any Lucene-',
      'BM25 system that is in use today by anyone.',
    ];
    await expect(listFormattedBlocks(layOutInColumn(lines))).resolves.toEqual([
      '[] text: A well-known retriever was found to be very efficient by everybody who tried it out on our well-known questions, and better than any Lucene-BM25 system that is in use today by anyone.',
    ]);
  });

  it('readPdf reads lines in larger or bold type as headings, whose level depends on the font size', async () => {
    const page: DrawnText[] = [
      { x: 72, y: 740, text: 'User Guide', size: 22, bold: true },
      { x: 72, y: 700, text: 'Warranty', size: 15 },
      ...layOutInColumn(PROSE, { top: 680 }),
      { x: 72, y: 620, text: 'Exceptions', bold: true },
      ...layOutInColumn(PROSE, { top: 604 }),
      { x: 72, y: 540, text: 'Repair', size: 15 },
      ...layOutInColumn(PROSE, { top: 520 }),
    ];
    expect((await listFormattedBlocks(page)).map((line) => line.replace(WHOLE_PROSE, '…'))).toEqual([
      '[User Guide] heading: User Guide',
      '[User Guide › Warranty] heading: Warranty',
      '[User Guide › Warranty] text: …',
      '[User Guide › Warranty › Exceptions] heading: Exceptions',
      '[User Guide › Warranty › Exceptions] text: …',
      '[User Guide › Repair] heading: Repair',
      '[User Guide › Repair] text: …',
    ]);
  });

  it('readPdf reads aligned cells as the rows of a table, and lines with markers as the items of a list', async () => {
    const cells = [
      ['Part', 'Price', 'Months'],
      ['Filter', '4.50', '6'],
      ['Battery', '39.00', '24'],
    ];
    const table = cells.flatMap((row, line) =>
      row.map((text, cell) => ({ x: 72 + cell * 120, y: 700 - line * 14, text })),
    );
    const list = layOutInColumn(
      ['- Unplug the machine before you open it, and wait until', '  it is cold.', '- Open the lid.'],
      { top: 600 },
    );
    await expect(listFormattedBlocks([...table, ...list])).resolves.toEqual([
      '[] table: | Part | Price | Months |\n|---|---|---|\n| Filter | 4.50 | 6 |\n| Battery | 39.00 | 24 |',
      '[] list: - Unplug the machine before you open it, and wait until it is cold.\n- Open the lid.',
    ]);
  });

  it('readPdf reads one column after the other, whether the file draws the lines column by column or across both columns', async () => {
    const left = [
      'Left one is the first line here',
      'left two is the second of them',
      'left three goes on with a comma,',
      'left four is about to be over',
      'left five is long enough as well',
      'left six and then the last line.',
    ];
    const right = left.map((line) => line.replace('eft', 'ight'));
    const drawnByColumn = [...layOutInColumn(left), ...layOutInColumn(right, { x: 320 })];
    const drawnByLine = left.flatMap((text, index) => [
      { x: 72, y: 720 - index * 14, text },
      { x: 320, y: 720 - index * 14, text: right[index] ?? '' },
    ]);
    const expected = [left, right].map((lines) => `[] text: ${lines.join(' ')}`);
    await expect(listFormattedBlocks(drawnByColumn)).resolves.toEqual(expected);
    await expect(listFormattedBlocks(drawnByLine)).resolves.toEqual(expected);
  });

  it('readPdf keeps a superscript and a subscript at the same horizontal position in the line of their letter', async () => {
    const page = [
      { x: 72, y: 700, text: 'A span w' },
      { x: 120, y: 705, text: '(i)', size: 7 },
      { x: 120, y: 697, text: 's', size: 7 },
      { x: 135, y: 700, text: 'is found.' },
    ];
    const { blocks } = await readBlocks(readPdf, makePdf([page]));
    expect(blocks.map(({ text }) => text)).toEqual([expect.stringMatching(/^A span w ?\(i\) ?s ?is found\.$/)]);
  });

  it('readPdf yields a running head and a running foot only once, although each page repeats them', async () => {
    const pages = [1, 2, 3, 4].map((number): readonly DrawnText[] => [
      { x: 72, y: 770, text: 'ACME Guide' },
      ...layOutInColumn([
        `Only page ${number} says this, whatever else is said.`,
        `And page ${number} it was that said this too.`,
      ]),
      { x: 300, y: 30, text: `Page ${number} of 4` },
    ]);
    const { blocks } = await readBlocks(readPdf, makePdf(pages));
    const texts = blocks.map((block) => block.text).join('\n');
    expect(texts.match(/ACME Guide/g)).toHaveLength(1);
    expect(texts.match(/Page \d of 4/g)).toHaveLength(1);
    for (const number of [1, 2, 3, 4]) expect(texts).toContain(`Only page ${number} says`);
  });

  it.each([
    ['that identify the content of a page', ['Invoice 1001', 'Invoice 1002', 'Invoice 1003', 'Invoice 1007'], 4],
    ['that repeat on later pages', ['Lot 7', 'Lot 7', 'Lot 9', 'Lot 9'], 2],
    ['that are dates', ['01/03/2024', '02/03/2024', '03/03/2024', '04/03/2024'], 4],
    [
      'that are dates beside words',
      ['Report 01.03.2024', 'Report 02.03.2024', 'Report 03.03.2024', 'Report 04.03.2024'],
      4,
    ],
    ['that count pages from a number', ['912', '913', '914', '915'], 1],
    ['that are Roman page numbers', ['Preface i', 'Preface ii', 'Preface iii', 'Preface iv'], 1],
    ['of a larger document', ['Page 101 of 350', 'Page 102 of 350', 'Page 103 of 350', 'Page 104 of 350'], 1],
    ['after a word for page', ['Prices, Seite 101', 'Prices, Seite 102', 'Prices, Seite 103', 'Prices, Seite 104'], 1],
    ['that name the content of a page', ['Exhibit 1', 'Exhibit 2', 'Exhibit 3', 'Exhibit 4'], 4],
    ['that are days of a month', ['1 March', '2 March', '3 March', '4 March'], 4],
    ['that are days of a month with a year', ['5. Mai 2024', '6. Mai 2024', '7. Mai 2024', '8. Mai 2024'], 4],
    ['that are days of a month in English', ['5 March 2024', '6 March 2024', '7 March 2024', '8 March 2024'], 4],
    ['between other words', ['Lot 1 of an auction', 'Lot 2 of an auction', 'Lot 3 of an auction'], 3],
    ['on facing pages', ['Ada Lee 912', '913 Letters', 'Ada Lee 914', '915 Letters', 'Ada Lee 916', '917 Letters'], 2],
    ['on the facing pages of a book', ['12 Quarry Guide', 'PREFACE 13', '14 Quarry Guide', 'PREFACE 15'], 2],
    ['that restart', ['Page 1 of 2', 'Page 2 of 2', 'Page 1 of 2', 'Page 2 of 2'], 1],
  ])(
    'readPdf keeps all different numbers at the edges of pages, but only one number if they count the pages: numbers %s',
    async (_, edges, expected) => {
      for (const y of [770, 30]) {
        const pages = edges.map((edge, index): readonly DrawnText[] => [
          { x: 72, y, text: edge },
          ...layOutInColumn(Array.from({ length: 8 }, () => `Something was bought ${'or sold '.repeat(index + 1)}`)),
        ]);
        const text = (await readBlocks(readPdf, makePdf(pages))).blocks.map((block) => block.text).join('\n');
        const found = edges.filter((edge) => text.includes(edge));
        expect(new Set(found).size, text).toBe(expected);
      }
    },
  );

  it('if a running foot has an unrelated number on each page, readPdf keeps the foot of each page at the end of the page', async () => {
    const names = ['apple', 'pear', 'plum'];
    const feet = ['Order 871', 'Order 604', 'Order 923'];
    const pages = names.map((name, index): readonly DrawnText[] => [
      ...layOutInColumn(['one', 'two', 'three', 'four', 'five'].map((word) => `${name} ${word}.`)),
      { x: 72, y: 30, text: feet[index] ?? '' },
    ]);
    const text = (await listFormattedBlocks(...pages)).join(' ');
    expect(text.match(/Order \d+|\w+ (?=one)/g)).toEqual(names.flatMap((name, index) => [`${name} `, feet[index]]));
  });

  it('readPdf keeps every row of a table that continues over several pages', async () => {
    const drawRow = (page: number, row: number) => ['Granite', 'kg', '€'].map((word) => `${word} ${page * 40 + row}`);
    const pages = [0, 1, 2, 3].map((page) =>
      Array.from({ length: 40 }, (_, row) =>
        drawRow(page, row).map((text, cell) => ({ x: 72 + cell * 120, y: 740 - row * 16, text })),
      ).flat(),
    );
    const { blocks } = await readBlocks(readPdf, makePdf(pages));
    const numbers = [
      ...blocks
        .map(({ text }) => text)
        .join('\n')
        .matchAll(/Granite (\d+)/g),
    ].map(([, number]) => Number(number));
    expect(numbers).toEqual(Array.from({ length: 160 }, (_, index) => index));
  });

  it('readPdf separates table cells with narrow gaps if the cells are left-aligned over several lines', async () => {
    const rows = ['Slate', 'Granite', 'Limestone', 'Chalk', 'Marble'].map((name, index) => [
      { x: 72, y: 700 - index * 15, text: name },
      { x: 131, y: 700 - index * 15, text: `${index} kg` },
    ]);
    const { blocks } = await readBlocks(readPdf, makePdf([rows.flat()]));
    expect(blocks.map(({ kind, text }) => [kind, text])).toEqual([
      ['table', '| Slate | 0 kg |\n| Granite | 1 kg |\n| Limestone | 2 kg |\n| Chalk | 3 kg |\n| Marble | 4 kg |'],
    ]);
  });

  it('readPdf reports in `undecodedPages` how many pages have text that cannot be decoded', async () => {
    const { blocks, pages } = await readBlocks(readPdf, makeUnmappedPdf('Readable', 'Unreadable'));
    expect(blocks.map(({ text }) => text).join('\n')).toBe('Readable');
    expect(pages).toEqual({ pages: 1, undecodedPages: 1, imagePages: [], partialPages: [], recognizedPages: [] });
    const readable = makePdf([layOutInColumn(PROSE), layOutInColumn(PROSE)]);
    expect((await readBlocks(readPdf, readable)).pages).toMatchObject({ pages: 2, undecodedPages: 0, imagePages: [] });
  });

  it('readPdf yields no blocks for a PDF without text', async () => {
    await expect(listFormattedBlocks([])).resolves.toEqual([]);
  });

  it.each<[string, Buffer, string]>([
    ['an encrypted file', makePdf([layOutInColumn(PROSE)], { encrypted: true }), 'file_encrypted'],
    ['garbage after a header', Buffer.from(`%PDF-1.7\n${'garbage '.repeat(500)}`), 'file_unreadable'],
    ['a truncated file', makePdf([layOutInColumn(PROSE)]).subarray(0, 40), 'file_unreadable'],
  ])('readPdf rejects %s', async (_, bytes, code) => {
    await expect(readBlocks(readPdf, bytes)).rejects.toMatchObject({ name: 'ReadingFailed', code });
  });

  it('readPdf reads a damaged file that can be repaired', async () => {
    const whole = makePdf([layOutInColumn(['Found all the same.'])]).toString('latin1');
    const damaged = whole.replace(/\d{10} 00000 n/g, '0000000001 00000 n').replace(/startxref\n\d+/, 'startxref\n7');
    const { blocks } = await readBlocks(readPdf, Buffer.from(damaged, 'latin1'));
    expect(blocks.map((block) => block.text)).toEqual(['Found all the same.']);
  });
});

describe.skipIf(!hasEvaluationFiles)(`readPdf with real files (${EVALUATION_FILES_NOTE})`, () => {
  const getText = async (path: string): Promise<string> =>
    (await readBlocks(readPdf, readEvaluationFile(path))).blocks.map((block) => block.text).join('\n');

  it('readPdf reads the columns of a scientific paper in reading order', async () => {
    const text = await getText('files/unstructured__multi-column-2p.pdf');
    const inOrder = [
      'Dense Passage Retrieval for Open-Domain Question Answering',
      'Open-domain question answering relies on efficient passage retrieval to select candidate contexts',
      'outperforms a strong Lucene-BM25 system greatly by 9%-19%',
      '1 Introduction',
      'a huge performance degradation is often observed in practice',
      'Retrieval in open-domain QA is usually implemented using TF-IDF',
      'setting new state-of-the-art results on multiple open-domain QA datasets, it also suffers from two weaknesses',
      '2 Background',
      '3 Dense Passage Retriever (DPR)',
    ].map((passage) => text.indexOf(passage));
    expect(inOrder).not.toContain(-1);
    expect(inOrder).toEqual(inOrder.toSorted((a, b) => a - b));
  });

  it('readPdf reads Arabic in logical order', async () => {
    const text = await getText('files/docling__right_to_left_01.pdf');
    expect(text).toContain('تحسين الإنتاجية وحل المشكلات من خلال البرمجة بلغة R');
    expect(text).toContain('لغة R و Python من الأدوات القوية');
  });

  it('readPdf reads each row of a financial statement as one table row', async () => {
    const text = await getText('sec10q/docs/2022 Q3 AAPL.pdf');
    expect(text).toMatch(/Total net sales \| 82,959 \| 81,434 \| 304,182 \| 282,457/);
    expect(text).toMatch(/Net income \| \$ ?19,442 \| \$ ?21,744/);
  });

  it.each([
    ['docling__2206.01062_pg3.pdf', 'file_encrypted'],
    ['pdfjs__poppler-395-0-fuzzed.pdf', 'file_unreadable'],
  ])('readPdf rejects the file %s with the error code %s', async (file, code) => {
    await expect(getText(`files/${file}`)).rejects.toMatchObject({ code });
  });

  it.each([
    ['pdfjs__empty.pdf', ''],
    ['docling__ocr_test.pdf', ''],
    ['pdfjs__helloworld-bad.pdf', 'Hello, world!'],
  ])('readPdf reads the text of %s: %j', async (file, expected) => {
    await expect(getText(`files/${file}`)).resolves.toBe(expected);
  });
});
