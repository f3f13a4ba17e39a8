import { describe, expect, it } from 'vitest';
import { makePdf, type DrawnText } from '../../testing/make-pdf.js';
import { readBlocks, sketch } from '../../testing/read-blocks.js';
import { withListMark } from './list-marks.js';
import { readPdf } from './pdf.js';

const read = (...segments: readonly string[]): readonly string[] =>
  withListMark(segments.map((text, index) => ({ text, left: index * 100, right: index * 100 + 50 }))).map(
    ({ text }) => text,
  );

describe('a mark before a wide gap', () => {
  it.each([
    ['•', 'Clean the filter', '• Clean the filter'],
    ['\uf0b7', 'q = 1', '• q = 1'],
    ['o', 'Clean the filter', '• Clean the filter'],
    ['–', 'Clean the filter', '– Clean the filter'],
    ['4.1.', 'Clean the filter', '4.1. Clean the filter'],
    ['(a)', 'Clean the filter', '(a) Clean the filter'],
    ['☒', 'Quarterly report', '☒ Quarterly report'],
  ])('%j belongs to its item %j', (mark, item, whole) => {
    expect(read(mark, item)).toEqual([whole]);
  });

  it.each([
    ['–', '12.5'],
    ['●', '●'],
    ['1.', 'Filter'],
    ['(a)', 'May/2013'],
    ['7', 'Clean the filter'],
  ])('%j is a cell beside %j', (first, second) => {
    expect(read(first, second)).toEqual([first, second]);
  });

  it('is a cell where there are more', () => {
    expect(read('1.', 'Clean the filter', '12')).toEqual(['1.', 'Clean the filter', '12']);
  });
});

it('makes items of lines that go on under their text, not rows', async () => {
  const page: DrawnText[] = ['Unplug the machine before', 'Open the lid carefully and'].flatMap((text, item) => [
    { x: 72, y: 700 - item * 28, text: '-' },
    { x: 108, y: 700 - item * 28, text },
    { x: 108, y: 686 - item * 28, text: 'you go on with the next.' },
  ]);
  await expect(readBlocks(readPdf, makePdf([page])).then(({ blocks }) => sketch(blocks))).resolves.toEqual([
    '[] list: - Unplug the machine before you go on with the next.\n- Open the lid carefully and you go on with the next.',
  ]);
});

it('takes the head and the foot of a page for no table', async () => {
  const page: DrawnText[] = [
    { x: 72, y: 760, text: '26/03/2024' },
    { x: 300, y: 760, text: 'Prices of parts' },
    { x: 72, y: 40, text: 'example.com' },
    { x: 300, y: 40, text: 'Page 7 of 9' },
  ];
  const { blocks } = await readBlocks(readPdf, makePdf([page]));
  expect(blocks.map(({ kind }) => kind)).toEqual(['text', 'text']);
});
