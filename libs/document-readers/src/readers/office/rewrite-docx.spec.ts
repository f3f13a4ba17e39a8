import { describe, expect, it } from 'vitest';
import { makeDocx, createParagraph, createList, createDocxPart } from '../../testing/make-office.js';
import { readBlocks, formatBlocks } from '../../testing/read-blocks.js';
import { readDocx } from './docx.js';

const listFormattedBlocks = async (bytes: Uint8Array): Promise<readonly string[]> =>
  formatBlocks((await readBlocks(readDocx, bytes)).blocks);

describe('rewriteDocx', () => {
  it('rewriteDocx writes the numbers of headings and clauses as Word displays them', async () => {
    const legal = createList(1, [
      ['decimal', '%1.'],
      ['decimal', '%1.%2'],
      ['lowerLetter', '(%3)'],
      ['upperRoman', '%4'],
    ]);
    const plain = createList(2, [
      ['decimal', '%1.'],
      ['bullet', 'o'],
    ]);
    const body = [
      createParagraph('Supply', 'heading 1', [1, 0]),
      createParagraph('The Supplier supplies.', undefined, [1, 1]),
      createParagraph('The Customer pays', undefined, [1, 1]),
      createParagraph('on time;', undefined, [1, 2]),
      createParagraph('in full.', undefined, [1, 2]),
      createParagraph('Term', 'heading 1', [1, 0]),
      createParagraph('Two years &amp; a day.', undefined, [1, 1]),
      createParagraph('one', undefined, [2, 0]),
      createParagraph('two', undefined, [2, 0]),
      createParagraph('a bullet', undefined, [2, 1]),
    ].join('');
    await expect(listFormattedBlocks(makeDocx(body, legal + plain))).resolves.toEqual([
      '[1. Supply] heading: 1. Supply',
      '[1. Supply] text: 1.1 The Supplier supplies.',
      '[1. Supply] text: 1.2 The Customer pays',
      '[1. Supply] text: (a) on time;',
      '[1. Supply] text: (b) in full.',
      '[2. Term] heading: 2. Term',
      '[2. Term] text: 2.1 Two years & a day.',
      '[2. Term] list: 1. one\n2. two\n  - a bullet',
    ]);
  });

  it('rewriteDocx numbers list items as Word does: with letters, continued after other text, or restarted', async () => {
    const lists = [
      createList(1, [
        ['decimal', '%1.'],
        ['lowerLetter', '%2)'],
      ]),
      createList(2, [['bullet', 'o']]),
      '<w:num w:numId="3"><w:abstractNumId w:val="1"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride></w:num>',
      '<w:abstractNum w:abstractNumId="4"><w:numStyleLink w:val="NotThere"/></w:abstractNum><w:num w:numId="4"><w:abstractNumId w:val="4"/></w:num>',
    ].join('');
    const body = [
      createParagraph('one', undefined, [1, 0]),
      createParagraph('two', undefined, [1, 0]),
      createParagraph('part', undefined, [1, 1]),
      createParagraph('dot', undefined, [2, 0]),
      createParagraph('three', undefined, [1, 0]),
      createParagraph('', undefined, [1, 0]),
      createParagraph('five', undefined, [1, 0]),
      createParagraph('anew', undefined, [3, 0]),
      createParagraph('unknown', undefined, [4, 0]),
    ].join('');
    await expect(listFormattedBlocks(makeDocx(body, lists))).resolves.toEqual([
      '[] list: 1. one\n2. two\n  a) part',
      '[] list: - dot',
      '[] list: 3. three\n5. five\n1. anew',
      '[] text: unknown',
    ]);
  });

  it('rewriteDocx writes numbers in legal form, restarts the numbers of levels, and prefers the levels of a list instance to the levels of the list definition', async () => {
    const createLevel = (level: number, format: string, text: string, more = ''): string =>
      `<w:lvl w:ilvl="${level}"><w:start w:val="1"/><w:numFmt w:val="${format}"/>${more}<w:lvlText w:val="${text}"/></w:lvl>`;
    const lists = [
      '<w:abstractNum w:abstractNumId="1">',
      createLevel(0, 'upperRoman', '%1.'),
      createLevel(1, 'decimalZero', '%1.%2'),
      createLevel(2, 'lowerLetter', '%1.%2.%3', '<w:lvlRestart w:val="1"/><w:isLgl/>'),
      createLevel(3, 'decimal', '(%4)', '<w:lvlRestart w:val="0"/>'),
      '</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num>',
      `<w:num w:numId="2"><w:abstractNumId w:val="1"/><w:lvlOverride w:ilvl="0">${createLevel(0, 'upperLetter', 'Annex %1')}</w:lvlOverride></w:num>`,
      '<w:num w:numId="3"><w:abstractNumId w:val="1"/><w:lvlOverride w:ilvl="1"><w:startOverride w:val="9"/></w:lvlOverride></w:num>',
    ].join('');
    const levels = [0, 1, 2, 3, 1, 2, 3, 0, 1, 2, 3];
    const items = levels.map((level) => createParagraph('item', undefined, [1, level]));
    const more = createParagraph('item', undefined, [2, 0]) + createParagraph('item', undefined, [3, 1]).repeat(2);
    const written = await listFormattedBlocks(makeDocx(items.join('') + more, lists));
    expect(written.map((line) => line.replace('[] text: ', '').replace(' item', ''))).toEqual([
      ...['I.', 'I.01', '1.1.1', '(1)', 'I.02', '1.2.2', '(2)', 'II.', 'II.01', '2.1.1', '(3)'],
      ...['Annex C', 'III.09', 'III.10'],
    ]);
  });

  it('rewriteDocx converts paragraphs with an outline level to headings, except long paragraphs and bullets', async () => {
    const createOutlineLevel = (level: number): string => `<w:outlineLvl w:val="${level}"/>`;
    const styles = [
      `<w:style w:type="paragraph" w:styleId="a"><w:name w:val="Kapitel"/><w:pPr>${createOutlineLevel(0)}</w:pPr></w:style>`,
      '<w:style w:type="paragraph" w:styleId="b"><w:name w:val="Mine"/><w:basedOn w:val="heading2"/></w:style>',
      `<w:style w:type="paragraph" w:styleId="c"><w:name w:val="Text"/><w:basedOn w:val="a"/><w:pPr>${createOutlineLevel(9)}</w:pPr></w:style>`,
    ].join('');
    const createStyledParagraph = (text: string, more = ''): string =>
      `<w:p><w:pPr>${more}${createOutlineLevel(2)}</w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`;
    const body = [
      createParagraph('Eins', 'a'),
      createParagraph('Two', 'b'),
      createStyledParagraph('Three'),
      createParagraph('Text.', 'c'),
      createStyledParagraph('Long. '.repeat(40)),
      createStyledParagraph('Dot', '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="2"/></w:numPr>'),
    ].join('');
    await expect(listFormattedBlocks(makeDocx(body, createList(2, [['bullet', 'o']]), [], styles))).resolves.toEqual([
      '[Eins] heading: Eins',
      '[Eins › Two] heading: Two',
      '[Eins › Two › Three] heading: Three',
      '[Eins › Two › Three] text: Text.',
      `[Eins › Two › Three] text: ${'Long. '.repeat(40).trim()}`,
      '[Eins › Two › Three] list: - Dot',
    ]);
  });

  it('rewriteDocx prefers the outline level of a paragraph to the level of its style', async () => {
    const createLevelParagraph = (style: string, level: number, text: string): string =>
      `<w:p><w:pPr><w:pStyle w:val="${style}"/><w:outlineLvl w:val="${level}"/></w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`;
    const body = [
      createParagraph('One', 'heading 1'),
      createLevelParagraph('heading1', 1, 'Two'),
      createLevelParagraph('heading1', 9, 'Text.'),
    ].join('');
    await expect(listFormattedBlocks(makeDocx(body))).resolves.toEqual([
      '[One] heading: One',
      '[One › Two] heading: Two',
      '[One › Two] text: Text.',
    ]);
  });

  it('rewriteDocx keeps the text of fields, bidirectional runs, ruby text and notes', async () => {
    const createRun = (words: string): string => `<w:r><w:t xml:space="preserve">${words}</w:t></w:r>`;
    const figure = `<w:p>${createRun('Figure ')}<w:fldSimple w:instr=" SEQ Figure ">${createRun('7')}</w:fldSimple></w:p>`;
    const body = [
      figure,
      `<w:p><w:dir w:val="rtl">${createRun('one')}</w:dir><w:bdo w:val="rtl">${createRun(' two')}</w:bdo></w:p>`,
      `<w:p><w:r><w:ruby><w:rt>${createRun('とう')}</w:rt><w:rubyBase>${createRun('東')}</w:rubyBase></w:ruby></w:r></w:p>`,
      `<w:p>${createRun('a')}<w:r><w:cr/></w:r>${createRun('b')}<w:r><w:footnoteReference w:id="2"/></w:r></w:p>`,
      `<w:p>${createRun('left')}<w:r><w:ptab w:alignment="right"/></w:r>${createRun('right')}</w:p>`,
      `<w:p>${createRun('c')}<w:r><w:cr></w:cr><w:sym w:font="Arial" w:char="20AC"></w:sym></w:r></w:p>`,
    ].join('');
    const footnotes = {
      id: 'n',
      type: 'footnotes',
      file: 'footnotes.xml',
      xml: createDocxPart('footnotes', `<w:footnote w:id="2">${figure}</w:footnote>`),
    };
    await expect(listFormattedBlocks(makeDocx(body, '', [footnotes]))).resolves.toEqual([
      '[] text: Figure 7',
      '[] text: one two',
      '[] text: 東',
      '[] text: a\nb[1]',
      '[] text: left right',
      '[] text: c\n€',
      '[] list: 1. Figure 7 ↑',
    ]);
  });

  it('rewriteDocx adds the texts of diagrams and of all kinds of text boxes, each text once', async () => {
    const createTextBox = (words: string): string => `<w:txbxContent>${createParagraph(words)}</w:txbxContent>`;
    const createDrawing = (content: string): string => `<w:drawing>${content}</w:drawing>`;
    const createShape = (content: string): string => `<wps:txbx xmlns:wps="wps">${content}</wps:txbx>`;
    const createLegacyShape = (kind: string, content: string): string =>
      `<w:pict><v:${kind} xmlns:v="urn:schemas-microsoft-com:vml"><v:textbox>${content}</v:textbox></v:${kind}></w:pict>`;
    const createAlternatives = (newest: string, fallback: string): string =>
      `<mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"><mc:Choice>${newest}</mc:Choice><mc:Fallback>${fallback}</mc:Fallback></mc:AlternateContent>`;
    const canvas =
      '<a:txBody xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><a:p><a:r><a:t>On a canvas.</a:t></a:r></a:p></a:txBody>';
    const body = [
      createDrawing(createShape(createTextBox('Alone.'))),
      createAlternatives(
        createDrawing(createShape(createTextBox('Both.'))),
        createLegacyShape('shape', createTextBox('Both.')),
      ),
      createAlternatives(createDrawing(createShape(createTextBox('Newest.'))), '<w:pict/>'),
      createLegacyShape('oval', createTextBox('In an oval.')),
      createDrawing(canvas),
      createDrawing('<dgm:relIds xmlns:dgm="dgm" r:dm="d"/>'),
    ].map((content) => `<w:p><w:r>${content}</w:r></w:p>`);
    const diagram =
      '<d><t><a:p xmlns:a="a"><a:r><a:t>First step</a:t></a:r></a:p></t><t><a:p xmlns:a="a"><a:r><a:t>Second</a:t></a:r></a:p></t></d>';
    const data = { id: 'd', type: 'diagramData', file: 'data1.xml', xml: diagram };
    await expect(listFormattedBlocks(makeDocx(body.join(''), '', [data]))).resolves.toEqual([
      '[] text: Alone.',
      '[] text: Both.',
      '[] text: Newest.',
      '[] text: In an oval.',
      '[] text: On a canvas.',
      '[] text: First step',
      '[] text: Second',
    ]);
  });
});
