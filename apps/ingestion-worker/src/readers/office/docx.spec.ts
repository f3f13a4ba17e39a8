import { describe, expect, it } from 'vitest';
import {
  evaluationFile,
  evaluationFilesAreHere,
  WHERE_EVALUATION_FILES_BELONG,
} from '../../testing/evaluation-files.js';
import { declareSize, makeDocx, paragraph, wordList, wordTable } from '../../testing/make-office.js';
import { readBlocks, sketch } from '../../testing/read-blocks.js';
import { readDocx } from './docx.js';

const sketchOf = async (bytes: Uint8Array): Promise<readonly string[]> =>
  sketch((await readBlocks(readDocx, bytes)).blocks);

describe('reading a Word document', () => {
  it('finds its title, headings, paragraphs and tables', async () => {
    const body = [
      paragraph('User Guide', 'Title'),
      paragraph('Warranty', 'heading 1'),
      paragraph('It lasts two years &amp; a day.'),
      paragraph('Parts', 'heading 2'),
      wordTable([
        ['Part', 'Price'],
        ['Filter', '4.50'],
      ]),
      paragraph('Repair', 'heading 1'),
    ].join('');
    await expect(sketchOf(makeDocx(body))).resolves.toEqual([
      '[User Guide] heading: User Guide',
      '[User Guide › Warranty] heading: Warranty',
      '[User Guide › Warranty] text: It lasts two years & a day.',
      '[User Guide › Warranty › Parts] heading: Parts',
      '[User Guide › Warranty › Parts] table: | Part | Price |\n|---|---|\n| Filter | 4.50 |',
      '[User Guide › Repair] heading: Repair',
    ]);
  });

  it('writes the numbers of headings and clauses, as Word shows them', async () => {
    const legal = wordList(1, [
      ['decimal', '%1.'],
      ['decimal', '%1.%2'],
      ['lowerLetter', '(%3)'],
      ['upperRoman', '%4'],
    ]);
    const plain = wordList(2, [
      ['decimal', '%1.'],
      ['bullet', 'o'],
    ]);
    const body = [
      paragraph('Supply', 'heading 1', [1, 0]),
      paragraph('The Supplier supplies.', undefined, [1, 1]),
      paragraph('The Customer pays', undefined, [1, 1]),
      paragraph('on time;', undefined, [1, 2]),
      paragraph('in full.', undefined, [1, 2]),
      paragraph('Term', 'heading 1', [1, 0]),
      paragraph('Two years &amp; a day.', undefined, [1, 1]),
      paragraph('one', undefined, [2, 0]),
      paragraph('two', undefined, [2, 0]),
      paragraph('a bullet', undefined, [2, 1]),
    ].join('');
    await expect(sketchOf(makeDocx(body, legal + plain))).resolves.toEqual([
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

  it('finds nothing in an empty one', async () => {
    await expect(sketchOf(makeDocx(paragraph('')))).resolves.toEqual([]);
  });

  it('does not unpack what would become too large', async () => {
    const bomb = declareSize(makeDocx(paragraph('x')), 'word/document.xml', 250 * 1_048_576);
    await expect(sketchOf(bomb)).rejects.toMatchObject({
      code: 'file_too_large',
      message: expect.stringMatching(/^Unpacked, the file has 25\d MB of text; the limit is 200 MB\.$/) as string,
    });
  });

  it('refuses a damaged one', async () => {
    await expect(sketchOf(makeDocx(paragraph('x')).subarray(0, 200))).rejects.toMatchObject({
      code: 'file_unreadable',
    });
  });

  it('reads no entity and no other file', async () => {
    const hostile = makeDocx(paragraph('&lt;fine&gt;'));
    await expect(sketchOf(hostile)).resolves.toEqual(['[] text: <fine>']);
    await expect(sketchOf(makeDocx(paragraph('&file;')))).rejects.toThrow();
  });
});

describe.skipIf(!evaluationFilesAreHere)(`reading real Word documents (${WHERE_EVALUATION_FILES_BELONG})`, () => {
  it('writes the numbers of headings', async () => {
    const text = (await sketchOf(evaluationFile('files/docling__unit_test_headers_numbered.docx'))).join('\n');
    for (const title of ['1. Section 1', '1.1. Section 1.1', '1.2.1. Section 1.2.3', '2. Section 2'])
      expect(text).toContain(`heading: ${title}`);
  });

  it('keeps the nesting of lists', async () => {
    const text = (await sketchOf(evaluationFile('files/docling__docx_lists.docx'))).join('\n');
    expect(text).toContain('- List item 1\n  - List item 1.1\n    - List item 1.1.1\n- List item 3');
  });

  it('writes merged cells in each of their places', async () => {
    const text = (await sketchOf(evaluationFile('files/docling__word_tables.docx'))).join('\n');
    expect(text).toContain('| Cell 1.0 | Merged Cell 1.1 1.2 | Merged Cell 1.1 1.2 |');
    expect(text).toContain('| Cell 4.0 | Merged Cell 3.1 4.1 | Cell 4.2 |');
  });

  it('knows the headings of a report', async () => {
    const sketched = await sketchOf(evaluationFile('files/docling__word_sample.docx'));
    expect(sketched.filter((line) => line.includes('heading:')).join('\n')).toContain('Let’s swim!');
    expect(sketched.join('\n')).toContain('| Berries | Blueberry, Strawberry, Cranberry | 150 |');
  });
});
