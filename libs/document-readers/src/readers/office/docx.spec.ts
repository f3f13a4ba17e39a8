import { describe, expect, it } from 'vitest';
import { readEvaluationFile, hasEvaluationFiles, EVALUATION_FILES_NOTE } from '../../testing/evaluation-files.js';
import {
  setDeclaredSize,
  makeChart,
  makeDocx,
  createParagraph,
  createDocxPart,
  createTable,
} from '../../testing/make-office.js';
import { readBlocks, formatBlocks } from '../../testing/read-blocks.js';
import { readDocx } from './docx.js';

const listFormattedBlocks = async (bytes: Uint8Array): Promise<readonly string[]> =>
  formatBlocks((await readBlocks(readDocx, bytes)).blocks);

describe('readDocx', () => {
  it('readDocx reads the title, headings, paragraphs and tables', async () => {
    const body = [
      createParagraph('User Guide', 'Title'),
      createParagraph('Warranty', 'heading 1'),
      createParagraph('It lasts two years &amp; a day.'),
      createParagraph('Parts', 'heading 2'),
      createTable([
        ['Part', 'Price'],
        ['Filter', '4.50'],
      ]),
      createParagraph('Repair', 'heading 1'),
    ].join('');
    await expect(listFormattedBlocks(makeDocx(body))).resolves.toEqual([
      '[User Guide] heading: User Guide',
      '[User Guide › Warranty] heading: Warranty',
      '[User Guide › Warranty] text: It lasts two years & a day.',
      '[User Guide › Warranty › Parts] heading: Parts',
      '[User Guide › Warranty › Parts] table: | Part | Price |\n|---|---|\n| Filter | 4.50 |',
      '[User Guide › Repair] heading: Repair',
    ]);
  });

  it('readDocx reads each comment, note, page header and footer once, and omits page numbers', async () => {
    const body = [
      createParagraph('Terms', 'heading 1'),
      '<w:p><w:commentRangeStart w:id="4"/><w:r><w:t>It lasts </w:t></w:r><w:r><w:t>a year.</w:t></w:r><w:commentRangeEnd w:id="4"/><w:r><w:footnoteReference w:id="2"/></w:r></w:p>',
    ].join('');
    const pageNumber =
      '<w:p><w:r><w:t>Page </w:t></w:r><w:r><w:instrText> PAGE </w:instrText></w:r><w:r><w:t>3</w:t></w:r><w:r><w:t> of 12</w:t></w:r></w:p>';
    const bytes = makeDocx(body, '', [
      {
        id: 'c',
        type: 'comments',
        file: 'comments.xml',
        xml: createDocxPart(
          'comments',
          `<w:comment w:id="4" w:author="Ada">${createParagraph('Two?')}</w:comment><w:comment w:id="5">${createParagraph('Why?')}</w:comment>`,
        ),
      },
      {
        id: 'h1',
        type: 'header',
        file: 'header1.xml',
        xml: createDocxPart('hdr', createParagraph('ACME') + createParagraph('ACME')),
      },
      {
        id: 'h2',
        type: 'header',
        file: 'header2.xml',
        xml: createDocxPart('hdr', createParagraph('ACME') + createParagraph('Secret')),
      },
      {
        id: 'f',
        type: 'footer',
        file: 'footer1.xml',
        xml: createDocxPart('ftr', pageNumber + createParagraph('March 2024')),
      },
      {
        id: 'n',
        type: 'footnotes',
        file: 'footnotes.xml',
        xml: `<w:footnotes xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:footnote w:id="2">${createParagraph('From delivery.')}</w:footnote></w:footnotes>`,
      },
    ]);
    const { blocks } = await readBlocks(readDocx, bytes);
    expect(blocks.map(({ text, location }) => [location, text])).toEqual([
      [null, 'Terms'],
      [null, 'It lasts a year.[1]'],
      [null, '1. From delivery. ↑'],
      ['comments', 'Comment by Ada on “It lasts a year.”: Two?\nComment: Why?'],
      ['page header', 'ACME\nSecret'],
      ['page footer', 'March 2024'],
    ]);
  });

  it('readDocx keeps the tabs, line ends and hyphens of headers and comments', async () => {
    const createRuns = (...texts: readonly string[]): string =>
      texts.map((text) => `<w:r>${text.startsWith('<') ? text : `<w:t>${text}</w:t>`}</w:r>`).join('');
    const words = createRuns(
      'ACME',
      '<w:ptab w:alignment="right"/>',
      'Part',
      '<w:cr/>',
      '7',
      '<w:noBreakHyphen/>',
      'B',
    );
    const header = { id: 'h', type: 'header', file: 'header1.xml', xml: createDocxPart('hdr', `<w:p>${words}</w:p>`) };
    const comment = `<w:comment w:id="4"><w:p>${words}</w:p></w:comment>`;
    const comments = { id: 'c', type: 'comments', file: 'comments.xml', xml: createDocxPart('comments', comment) };
    const quoted = `<w:commentRangeStart w:id="4"/>${words}</w:p><w:p>${createRuns('end')}<w:commentRangeEnd w:id="4"/>`;
    const blocks = await listFormattedBlocks(makeDocx(`<w:p>${quoted}</w:p>`, '', [header, comments]));
    expect(blocks.slice(-2)).toEqual([
      '[] text: Comment on “ACME Part 7\u2011B end”: ACME Part 7\u2011B',
      '[] text: ACME Part 7\u2011B',
    ]);
  });

  it('readDocx keeps the symbols of the text, headers and comments, and omits symbols of unknown fonts', async () => {
    const symbols = [
      ...['Symbol/F061', 'Symbol/00AE', 'Wingdings/F0FC', 'Wingdings/F0A7', 'Arial/2022', 'Unknown/F041'],
    ].map((symbol) => `<w:sym w:font="${symbol.replace('/', '" w:char="')}"/>`);
    const words = `<w:r><w:t xml:space="preserve">ACME </w:t>${symbols.join('')}</w:r>`;
    const header = { id: 'h', type: 'header', file: 'header1.xml', xml: createDocxPart('hdr', `<w:p>${words}</w:p>`) };
    const comment = `<w:comment w:id="4"><w:p>${words}</w:p></w:comment>`;
    const comments = { id: 'c', type: 'comments', file: 'comments.xml', xml: createDocxPart('comments', comment) };
    const body = `<w:p><w:commentRangeStart w:id="4"/>${words}<w:commentRangeEnd w:id="4"/></w:p>`;
    const text = 'ACME α→✓▪•';
    await expect(listFormattedBlocks(makeDocx(body, '', [header, comments]))).resolves.toEqual([
      `[] text: ${text}`,
      `[] text: Comment on “${text}”: ${text}`,
      `[] text: ${text}`,
    ]);
  });

  it('readDocx reads text boxes, checkboxes, formulas and chart values at their positions in the text', async () => {
    const box = `<w:p><w:r><mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"><mc:Fallback><w:pict><v:shape xmlns:v="urn:schemas-microsoft-com:vml"><v:textbox><w:txbxContent>${createParagraph('In a box.')}</w:txbxContent></v:textbox></v:shape></w:pict></mc:Fallback></mc:AlternateContent></w:r></w:p>`;
    const createCheckBox = (checked: number): string =>
      `<w:p><w:sdt><w:sdtPr><w14:checkbox xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml"><w14:checked w14:val="${checked}"/></w14:checkbox></w:sdtPr><w:sdtContent><w:r><w:t>☐</w:t></w:r></w:sdtContent></w:sdt><w:r><w:t>Done</w:t></w:r></w:p>`;
    const createFormulaText = (text: string): string => `<m:r><m:t>${text}</m:t></m:r>`;
    const area = `<m:oMath>${createFormulaText('A=π')}<m:sSup><m:e>${createFormulaText('𝑟')}</m:e><m:sup>${createFormulaText('2')}</m:sup></m:sSup></m:oMath>`;
    const half = `<m:oMathPara><m:oMath><m:f><m:num>${createFormulaText('1')}</m:num><m:den>${createFormulaText('2')}</m:den></m:f></m:oMath></m:oMathPara>`;
    const chart = '<w:p><w:r><w:drawing><c:chart r:id="x"/></w:drawing></w:r></w:p>';
    const body = [
      createParagraph('Birds', 'heading 1'),
      box,
      createCheckBox(1),
      createCheckBox(0),
      `<w:p><w:r><w:t>Area:</w:t></w:r>${area}</w:p>`,
      `<w:p>${half}</w:p>`,
      chart,
      createParagraph('After &amp; all.'),
    ].join('');
    const xml = makeChart('Ducks &lt;2&gt;', ['a'], { Fresh: [1] });
    await expect(
      listFormattedBlocks(makeDocx(body, '', [{ id: 'x', type: 'chart', file: 'chart1.xml', xml }])),
    ).resolves.toEqual([
      '[Birds] heading: Birds',
      '[Birds] text: In a box.',
      '[Birds] text: [x] Done',
      '[Birds] text: [ ] Done',
      '[Birds] text: Area: A=\\pi r^{2}',
      '[Birds] text: \\frac{1}{2}',
      '[Birds] text: Bar chart: Ducks <2>',
      '[Birds] table: |  | Fresh |\n|---|---|\n| a | 1 |',
      '[Birds] text: After & all.',
    ]);
  });

  it('readDocx yields no blocks for an empty document', async () => {
    await expect(listFormattedBlocks(makeDocx(createParagraph('')))).resolves.toEqual([]);
  });

  it('readDocx does not unpack an archive that exceeds the size limit', async () => {
    const bomb = setDeclaredSize(makeDocx(createParagraph('x')), 'word/document.xml', 250 * 1_048_576);
    await expect(listFormattedBlocks(bomb)).rejects.toMatchObject({
      code: 'file_too_large',
      message: expect.stringMatching(/^Unpacked, the file has 25\d MB of text; the limit is 200 MB\.$/) as string,
    });
  });

  it('readDocx rejects a damaged file', async () => {
    await expect(listFormattedBlocks(makeDocx(createParagraph('x')).subarray(0, 200))).rejects.toMatchObject({
      code: 'file_unreadable',
    });
  });

  it('readDocx resolves only the predefined XML entities, and rejects a reference to another entity', async () => {
    const hostile = makeDocx(createParagraph('&lt;fine&gt;'));
    await expect(listFormattedBlocks(hostile)).resolves.toEqual(['[] text: <fine>']);
    await expect(listFormattedBlocks(makeDocx(createParagraph('&file;')))).rejects.toThrow();
  });
});

describe.skipIf(!hasEvaluationFiles)(`readDocx with real files (${EVALUATION_FILES_NOTE})`, () => {
  it('readDocx includes the number of a numbered heading in the text of the heading', async () => {
    const text = (await listFormattedBlocks(readEvaluationFile('files/docling__unit_test_headers_numbered.docx'))).join(
      '\n',
    );
    for (const title of ['1. Section 1', '1.1. Section 1.1', '1.2.1. Section 1.2.3', '2. Section 2'])
      expect(text).toContain(`heading: ${title}`);
  });

  it('readDocx indents the items of nested lists by their level', async () => {
    const text = (await listFormattedBlocks(readEvaluationFile('files/docling__docx_lists.docx'))).join('\n');
    expect(text).toContain('- List item 1\n  - List item 1.1\n    - List item 1.1.1\n- List item 3');
  });

  it('readDocx repeats a merged cell in each position that the cell covers', async () => {
    const text = (await listFormattedBlocks(readEvaluationFile('files/docling__word_tables.docx'))).join('\n');
    expect(text).toContain('| Cell 1.0 | Merged Cell 1.1 1.2 | Merged Cell 1.1 1.2 |');
    expect(text).toContain('| Cell 4.0 | Merged Cell 3.1 4.1 | Cell 4.2 |');
  });

  it('readDocx reads the headings and tables of a real report', async () => {
    const sketched = await listFormattedBlocks(readEvaluationFile('files/docling__word_sample.docx'));
    expect(sketched.filter((line) => line.includes('heading:')).join('\n')).toContain('Let’s swim!');
    expect(sketched.join('\n')).toContain('| Berries | Blueberry, Strawberry, Cranberry | 150 |');
  });
});
