import { describe, expect, it } from 'vitest';
import { readEvaluationFile, hasEvaluationFiles, EVALUATION_FILES_NOTE } from '../../testing/evaluation-files.js';
import { createArchive, makePptx, createTextShape, type MadeSlide, makeChart } from '../../testing/make-office.js';
import { readBlocks, formatBlocks } from '../../testing/read-blocks.js';
import { readPptx } from './pptx.js';

const listFormattedBlocks = async (...slides: readonly MadeSlide[]): Promise<readonly string[]> =>
  formatBlocks((await readBlocks(readPptx, makePptx(slides))).blocks);

const createCell = (text: string, attributes = ''): string =>
  `<a:tc ${attributes}><a:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></a:txBody></a:tc>`;
const createRow = (...cells: readonly string[]): string => `<a:tr>${cells.join('')}</a:tr>`;

describe('readPptx', () => {
  it('readPptx reads the slides in presentation order, each as a page', async () => {
    const { blocks, progress } = await readBlocks(
      readPptx,
      makePptx([
        { shapes: createTextShape(['The first text.']) + createTextShape(['Welcome'], 'ctrTitle') },
        { shapes: createTextShape(['Second'], 'title') + createTextShape(['One line.', 'Another line.'], 'body') },
      ]),
    );
    expect(formatBlocks(blocks)).toEqual([
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

  it('readPptx indents the items of a list by their level, and reads the shapes inside a group', async () => {
    const list = createTextShape(['foo', { level: 1, text: 'bar' }, { level: 2, text: 'baz' }]);
    await expect(listFormattedBlocks({ shapes: `<p:grpSp>${list}</p:grpSp>` })).resolves.toEqual([
      '[] list: - foo\n  - bar\n    - baz',
    ]);
  });

  it('readPptx yields a footer once, even if several slides repeat the footer, and omits slide numbers and dates', async () => {
    const today = '<a:p><a:fld type="datetime1"><a:t>1/1/2024</a:t></a:fld></a:p>';
    const date = `<p:sp><p:nvSpPr><p:nvPr><p:ph type="dt"/></p:nvPr></p:nvSpPr><p:txBody>${today}</p:txBody></p:sp>`;
    const foot = createTextShape(['ACME 2024'], 'ftr') + createTextShape(['7'], 'sldNum') + date;
    const { blocks } = await readBlocks(
      readPptx,
      makePptx([{ shapes: createTextShape(['One.']) + foot }, { shapes: createTextShape(['Two.']) + foot }]),
    );
    expect(blocks.map(({ text, location }) => [location, text])).toEqual([
      ['slide 1', 'One.'],
      ['slide 2', 'Two.'],
      ['slide footer', 'ACME 2024'],
    ]);
  });

  it('readPptx reads the alternative text of a picture, unless the text is a file name', async () => {
    const createPicture = (description: string): string =>
      `<p:pic><p:nvPicPr><p:cNvPr id="2" name="Picture 1" descr="${description}"/></p:nvPicPr></p:pic>`;
    await expect(
      listFormattedBlocks({ shapes: createPicture('A duck on a lake') + createPicture('IMG_0012.jpeg') }),
    ).resolves.toEqual(['[] text: A duck on a lake']);
  });

  it('readPptx reads formulas and CDATA sections', async () => {
    const math = '<m:oMath xmlns:m="m"><m:f><m:num><m:t>1</m:t></m:num><m:den><m:t>2</m:t></m:den></m:f></m:oMath>';
    const both = `<mc:AlternateContent xmlns:mc="mc"><mc:Choice><a14:m xmlns:a14="a">${math}</a14:m></mc:Choice><mc:Fallback><a:r><a:t>half</a:t></a:r></mc:Fallback></mc:AlternateContent>`;
    const shapes = `<p:sp><p:txBody><a:p><a:r><a:t><![CDATA[a < b: ]]></a:t></a:r>${both}</a:p></p:txBody></p:sp>`;
    await expect(listFormattedBlocks({ shapes })).resolves.toEqual(['[] text: a < b:  \\frac{1}{2}']);
  });

  it('readPptx repeats a merged cell of a table in each position that the cell covers', async () => {
    const table = [
      createRow(createCell('', ''), createCell('Class', 'gridSpan="2"'), createCell('', 'hMerge="1"')),
      createRow(createCell('R1', 'rowSpan="2"'), createCell('a'), createCell('b')),
      createRow(createCell('', 'vMerge="1"'), createCell('c'), createCell('d')),
    ].join('');
    await expect(
      listFormattedBlocks({
        shapes: `<p:graphicFrame><a:graphic><a:tbl>${table}</a:tbl></a:graphic></p:graphicFrame>`,
      }),
    ).resolves.toEqual(['[] table: |  | Class | Class |\n|---|---|---|\n| R1 | a | b |\n| R1 | c | d |']);
  });

  it('readPptx reads a chart as a table', async () => {
    const chart = makeChart('Ducks a year', [2023, 2024], { Fresh: [120, 130], Salt: [80, 2.4000000000000004] });
    const shapes = '<p:graphicFrame><a:graphic><c:chart xmlns:c="c" r:id="chart"/></a:graphic></p:graphicFrame>';
    await expect(listFormattedBlocks({ shapes, chart })).resolves.toEqual([
      '[] text: Bar chart: Ducks a year',
      '[] table: |  | Fresh | Salt |\n|---|---|---|\n| 2023 | 120 | 80 |\n| 2024 | 130 | 2.4 |',
    ]);
  });

  it('the location of a block from readPptx states if the block is a comment, a speaker note, or on a hidden slide', async () => {
    const slide = {
      shapes: createTextShape(['Text.']),
      notes:
        createTextShape(['Say hello first.'], 'body') + createTextShape(['ACME'], 'hdr') + createTextShape(['A box.']),
      comments:
        '<p:cmLst xmlns:p="p"><p:cm authorId="7"><p:text>Too long.</p:text></p:cm><p:cm authorId="8"><p:text>Fine.</p:text></p:cm></p:cmLst>',
    };
    const { blocks } = await readBlocks(
      readPptx,
      makePptx([slide, { shapes: createTextShape(['Old.']), hidden: true }]),
    );
    expect(blocks.map(({ text, location }) => [location, text])).toEqual([
      ['slide 1', 'Text.'],
      ['slide 1, comments', 'Comment by Ada: Too long.\nComment: Fine.'],
      ['slide 1, speaker notes', 'Say hello first.'],
      ['slide 1, speaker notes', 'A box.'],
      ['slide 2 (hidden)', 'Old.'],
    ]);
  });

  it('readPptx yields no blocks for empty slides', async () => {
    await expect(listFormattedBlocks({ shapes: '' }, { shapes: createTextShape(['']) })).resolves.toEqual([]);
  });

  it.each([
    ['without a presentation inside', createArchive({ 'ppt/x.xml': '<x/>' })],
    ['with a part that is not XML', createArchive({ 'ppt/presentation.xml': '<p:presentation>' })],
    ['that declares an entity', createArchive({ 'ppt/presentation.xml': '<!DOCTYPE p [<!ENTITY x "y">]><p>&x;</p>' })],
  ])('readPptx rejects a file %s', async (_, bytes) => {
    await expect(readBlocks(readPptx, bytes)).rejects.toMatchObject({ code: 'file_unreadable' });
  });
});

describe.skipIf(!hasEvaluationFiles)(`readPptx with real files (${EVALUATION_FILES_NOTE})`, () => {
  it.each([
    [
      'docling__powerpoint_sample.pptx',
      ['Test Table Slide', '| R1 | True | False |', 'A rectangle shape with this text inside.', 'And baz things'],
    ],
    ['docling__pptx_chart.pptx', ['Wild Duck Observations by Year', '| 2021 | 150 | 110 |']],
    ['unstructured__fake-power-point-table.pptx', ['|---|']],
  ])('readPptx reads the content of %s', async (file, expected) => {
    const text = (await readBlocks(readPptx, readEvaluationFile(`files/${file}`))).blocks
      .map((block) => block.text)
      .join('\n');
    for (const part of expected) expect(text).toContain(part);
  });
});
