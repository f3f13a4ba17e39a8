import { describe, expect, it } from 'vitest';
import {
  evaluationFile,
  evaluationFilesAreHere,
  WHERE_EVALUATION_FILES_BELONG,
} from '../../testing/evaluation-files.js';
import { archive, makePptx, textShape, type MadeSlide } from '../../testing/make-office.js';
import { readBlocks, sketch } from '../../testing/read-blocks.js';
import { readPptx } from './pptx.js';

const sketchOf = async (...slides: readonly MadeSlide[]): Promise<readonly string[]> =>
  sketch((await readBlocks(readPptx, makePptx(slides))).blocks);

const cell = (text: string, attributes = ''): string =>
  `<a:tc ${attributes}><a:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></a:txBody></a:tc>`;
const row = (...cells: readonly string[]): string => `<a:tr>${cells.join('')}</a:tr>`;

describe('reading a presentation', () => {
  it('reads the slides in the order in which they are shown, each as a page', async () => {
    const { blocks, progress } = await readBlocks(
      readPptx,
      makePptx([
        { shapes: textShape(['The first text.']) + textShape(['Welcome'], 'ctrTitle') },
        { shapes: textShape(['Second'], 'title') + textShape(['One line.', 'Another line.'], 'body') },
      ]),
    );
    expect(sketch(blocks)).toEqual([
      '[Welcome] heading: Welcome',
      '[Welcome] text: The first text.',
      '[Second] heading: Second',
      '[Second] text: One line.\nAnother line.',
    ]);
    expect(blocks.map(({ page, location }) => [page, location])).toEqual([
      [1, 'slide 1'],
      [1, 'slide 1'],
      [2, 'slide 2'],
      [2, 'slide 2'],
    ]);
    expect(progress.at(-1)).toEqual({ done: 2, total: 2, unit: 'slides' });
  });

  it('keeps the levels of a list, and reads shapes in groups', async () => {
    const list = textShape(['foo', { level: 1, text: 'bar' }, { level: 2, text: 'baz' }]);
    await expect(sketchOf({ shapes: `<p:grpSp>${list}</p:grpSp>` })).resolves.toEqual([
      '[] list: - foo\n  - bar\n    - baz',
    ]);
  });

  it('reads notes, and leaves out what every slide repeats', async () => {
    const shapes = textShape(['Text.']) + textShape(['ACME 2024'], 'ftr') + textShape(['7'], 'sldNum');
    await expect(sketchOf({ shapes, notes: 'Say hello first.' })).resolves.toEqual([
      '[] text: Text.',
      '[] text: Say hello first.',
    ]);
  });

  it('reads tables with merged cells', async () => {
    const table = [
      row(cell('', ''), cell('Class', 'gridSpan="2"'), cell('', 'hMerge="1"')),
      row(cell('R1', 'rowSpan="2"'), cell('a'), cell('b')),
      row(cell('', 'vMerge="1"'), cell('c'), cell('d')),
    ].join('');
    await expect(
      sketchOf({ shapes: `<p:graphicFrame><a:graphic><a:tbl>${table}</a:tbl></a:graphic></p:graphicFrame>` }),
    ).resolves.toEqual(['[] table: |  | Class | Class |\n|---|---|---|\n| R1 | a | b |\n| R1 | c | d |']);
  });

  it('reads a chart as a table', async () => {
    const points = (values: readonly (string | number)[]): string =>
      `<c:cache>${values.map((value, index) => `<c:pt idx="${index}"><c:v>${value}</c:v></c:pt>`).join('')}</c:cache>`;
    const series = (name: string, values: readonly number[]): string =>
      `<c:ser><c:tx>${points([name])}</c:tx><c:cat>${points([2023, 2024])}</c:cat><c:val>${points(values)}</c:val></c:ser>`;
    const title = '<c:title><a:p><a:r><a:t>Ducks </a:t></a:r><a:r><a:t>a year</a:t></a:r></a:p></c:title>';
    const chart = `<c:chartSpace xmlns:c="c" xmlns:a="a">${title}${series('Fresh', [120, 130])}${series('Salt', [80, 95])}</c:chartSpace>`;
    const shapes = '<p:graphicFrame><a:graphic><c:chart xmlns:c="c" r:id="chart"/></a:graphic></p:graphicFrame>';
    await expect(sketchOf({ shapes, chart })).resolves.toEqual([
      '[] text: Ducks a year',
      '[] table: |  | Fresh | Salt |\n|---|---|---|\n| 2023 | 120 | 80 |\n| 2024 | 130 | 95 |',
    ]);
  });

  it('finds nothing in empty slides', async () => {
    await expect(sketchOf({ shapes: '' }, { shapes: textShape(['']) })).resolves.toEqual([]);
  });

  it.each([
    ['without a presentation inside', archive({ 'ppt/x.xml': '<x/>' })],
    ['with a part that is no XML', archive({ 'ppt/presentation.xml': '<p:presentation>' })],
    ['with an entity of its own', archive({ 'ppt/presentation.xml': '<!DOCTYPE p [<!ENTITY x "y">]><p>&x;</p>' })],
  ])('refuses one %s', async (_, bytes) => {
    await expect(readBlocks(readPptx, bytes)).rejects.toMatchObject({ code: 'file_unreadable' });
  });
});

describe.skipIf(!evaluationFilesAreHere)(`reading real presentations (${WHERE_EVALUATION_FILES_BELONG})`, () => {
  it.each([
    [
      'docling__powerpoint_sample.pptx',
      ['Test Table Slide', '| R1 | True | False |', 'A rectangle shape with this text inside.', 'And baz things'],
    ],
    ['docling__pptx_chart.pptx', ['Wild Duck Observations by Year', '| 2021 | 150 | 110 |']],
    ['unstructured__fake-power-point-table.pptx', ['|---|']],
  ])('finds in %s what is there', async (file, expected) => {
    const text = (await readBlocks(readPptx, evaluationFile(`files/${file}`))).blocks
      .map((block) => block.text)
      .join('\n');
    for (const part of expected) expect(text).toContain(part);
  });
});
