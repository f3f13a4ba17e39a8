import { describe, expect, it } from 'vitest';
import { layOutInColumn, makePdf, type DrawnText } from '../../testing/make-pdf.js';
import { readBlocks, formatBlocks } from '../../testing/read-blocks.js';
import { joinListMarkerWithText } from './list-markers.js';
import { readPdf } from './pdf.js';

const joinMarkers = (...segments: readonly string[]): readonly string[] =>
  joinListMarkerWithText(segments.map((text, index) => ({ text, left: index * 100, right: index * 100 + 50 }))).map(
    ({ text }) => text,
  );

describe('joinListMarkerWithText', () => {
  it.each([
    ['•', 'Clean the filter', '• Clean the filter'],
    ['\uf0b7', 'q = 1', '• q = 1'],
    ['o', 'Clean the filter', '• Clean the filter'],
    ['–', 'Clean the filter', '– Clean the filter'],
    ['4.1.', 'Clean the filter', '4.1. Clean the filter'],
    ['(a)', 'Clean the filter', '(a) Clean the filter'],
    ['☒', 'Quarterly report', '☒ Quarterly report'],
  ])('joinListMarkerWithText joins the list marker %j with the item %j', (mark, item, whole) => {
    expect(joinMarkers(mark, item)).toEqual([whole]);
  });

  it.each([
    ['–', '12.5'],
    ['●', '●'],
    ['1.', 'Filter'],
    ['(a)', 'May/2013'],
    ['7', 'Clean the filter'],
  ])('joinListMarkerWithText does not join the text %j with %j, because they are cells of a table', (first, second) => {
    expect(joinMarkers(first, second)).toEqual([first, second]);
  });

  it('if more than one cell follows a list marker, joinListMarkerWithText keeps the marker as a table cell', () => {
    expect(joinMarkers('1.', 'Clean the filter', '12')).toEqual(['1.', 'Clean the filter', '12']);
  });
});

describe('the markers of lists in a PDF', () => {
  it('if list items have two lines and a wide gap after the marker, readPdf reads the items as a list, not as table rows', async () => {
    const page: DrawnText[] = ['Unplug the machine before', 'Open the lid carefully and'].flatMap((text, item) => [
      { x: 72, y: 700 - item * 28, text: '-' },
      { x: 108, y: 700 - item * 28, text },
      { x: 108, y: 686 - item * 28, text: 'you go on with the next.' },
    ]);
    await expect(readBlocks(readPdf, makePdf([page])).then(({ blocks }) => formatBlocks(blocks))).resolves.toEqual([
      '[] list: - Unplug the machine before you go on with the next.\n- Open the lid carefully and you go on with the next.',
    ]);
  });

  it.each([
    [
      'joins a date at the start of a line with the previous line',
      ['in the reports that were published on 2020.', '3.11. and later by the same three authors.'],
      1,
    ],
    [
      'joins a section number at the start of a line with the previous line',
      ['as it is described by the authors in section', '4.11. This holds for all of them, too.'],
      1,
    ],
    [
      'separates list items',
      ['3.10. Clean the filter before you use the lid.', '3.11. Clean the lid before you use the filter.'],
      2,
    ],
    [
      'separates list items whose numbers have leading zeros',
      ['1.01. Clean the filter before you use the lid.', '1.02. Clean the lid before you use the filter.'],
      2,
    ],
    [
      'separates a list item from its first subitem',
      ['3. The care of the machine and of all its parts', '3.1. Clean the lid before you use the filter.'],
      2,
    ],
  ])(
    'readPdf %s, because a number with several parts begins a list item only if another line begins with a neighbouring number',
    async (_, lines, items) => {
      const { blocks } = await readBlocks(readPdf, makePdf([layOutInColumn(lines)]));
      expect(blocks.map(({ text }) => text)).toEqual([lines.join(items === 1 ? ' ' : '\n')]);
      expect(blocks[0]?.kind).toBe(items === 1 ? 'text' : 'list');
    },
  );

  it('readPdf reads a running head and a running foot as text, not as a table', async () => {
    const page: DrawnText[] = [
      { x: 72, y: 760, text: '26/03/2024' },
      { x: 300, y: 760, text: 'Prices of parts' },
      { x: 72, y: 40, text: 'example.com' },
      { x: 300, y: 40, text: 'Page 7 of 9' },
    ];
    const { blocks } = await readBlocks(readPdf, makePdf([page]));
    expect(blocks.map(({ kind }) => kind)).toEqual(['text', 'text']);
  });
});
