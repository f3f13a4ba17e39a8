import { describe, expect, it } from 'vitest';
import { layOutInColumn, makePdf, type DrawnText } from '../../testing/make-pdf.js';
import { readBlocks } from '../../testing/read-blocks.js';
import { readPdf } from './pdf.js';

async function listTextsOfAnnotatedPage(
  page: readonly DrawnText[],
  annotations: readonly string[],
): Promise<readonly string[]> {
  const { blocks } = await readBlocks(readPdf, makePdf([page], { annotations }));
  return blocks.map(({ kind, text, location }) => `${location ?? kind}: ${text}`);
}

const createField = (entries: string, rectangle: string): string =>
  `/Subtype /Widget ${entries} /Rect [${rectangle}] /F 4`;

describe('a filled-in form in a PDF', () => {
  const FORM = [
    { x: 72, y: 700, text: 'Name:' },
    { x: 72, y: 660, text: 'Remarks' },
    { x: 72, y: 580, text: 'I have read the terms.' },
  ];

  it('readPdf reads the values of form fields at the positions of the fields', async () => {
    const fields = [
      // A PDF can store a rectangle as any two opposite corners.
      createField('/FT /Tx /T (a) /V (Ada Lovelace)', '300 713 108 697'),
      createField('/FT /Tx /T (b) /V (Ring twice.\\nThen wait.)', '72 610 300 650'),
      createField('/FT /Btn /T (c) /V /Yes /AS /Yes', '56 578 68 590'),
    ];
    await expect(listTextsOfAnnotatedPage(FORM, fields)).resolves.toEqual([
      'text: Name: Ada Lovelace',
      'text: Remarks',
      'text: Ring twice.',
      'text: Then wait.',
      'list: ☒ I have read the terms.',
    ]);
  });

  it('readPdf reads the displayed label of the selected option of a form field, not the stored value', async () => {
    const options = '/Opt [[(us) (United States)] [(mx) (Mexico)]]';
    const fields = [
      createField(`/FT /Ch /Ff 131072 /T (a) ${options} /V (mx)`, '108 697 300 713'),
      createField('/FT /Btn /T (c) /V /Off /AS /Off', '56 578 68 590'),
    ];
    expect((await listTextsOfAnnotatedPage(FORM, fields)).join('\n')).toBe(
      'text: Name: Mexico\ntext: Remarks\ntext: I have read the terms.',
    );
  });

  it('readPdf omits passwords and hidden fields of a form', async () => {
    const fields = [
      createField('/FT /Tx /Ff 8192 /T (a) /V (secret)', '108 697 300 713'),
      '/Subtype /Widget /FT /Tx /T (b) /V (hidden) /Rect [72 610 300 650] /F 2',
    ];
    await expect(listTextsOfAnnotatedPage(FORM, fields)).resolves.toEqual(FORM.map(({ text }) => `text: ${text}`));
  });

  it('readPdf reads the values of form fields at the positions of the fields even if the text of the page is rotated', async () => {
    const page = [{ x: 300, y: 72, text: 'Name:', rotation: 1 } as const];
    const fields = [createField('/FT /Tx /T (a) /V (Ada Lovelace)', '287 108 303 300')];
    await expect(listTextsOfAnnotatedPage(page, fields)).resolves.toEqual(['text: Name: Ada Lovelace']);
  });
});

describe('the comments and text boxes of a PDF', () => {
  const PAGE = layOutInColumn(['The warranty lasts for two years.', 'It covers every part but the batteries.']);

  it('readPdf reads each comment after the text of the page, with its author and the words that it marks', async () => {
    const markedBoxes = '/QuadPoints [72 730 240 730 72 718 240 718]';
    const notes = [
      `/Subtype /Highlight /Contents (Three, now.) /T (Ada) ${markedBoxes} /Rect [72 718 240 730]`,
      '/Subtype /Text /Contents (Who wrote this?) /Rect [20 700 40 720]',
      '/Subtype /Popup /Contents (Who wrote it?) /Rect [20 600 40 620]',
    ];
    await expect(listTextsOfAnnotatedPage(PAGE, notes)).resolves.toEqual([
      'text: The warranty lasts for two years. It covers every part but the batteries.',
      'comments: Comment by Ada on “The warranty lasts for two years.”: Three, now.\nComment: Who wrote this?',
    ]);
  });

  it('readPdf reads the text of a text box annotation as text of the page', async () => {
    const note = '/Subtype /FreeText /Contents (Not in winter.) /DA (/F1 11 Tf) /Rect [72 640 300 660]';
    expect((await listTextsOfAnnotatedPage(PAGE, [note])).at(-1)).toBe('text: Not in winter.');
  });
});
