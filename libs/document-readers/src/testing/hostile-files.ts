import { strToU8, unzipSync, zipSync } from 'fflate';
import {
  setDeclaredSize,
  makeDocx,
  makePptx,
  makeXlsx,
  createParagraph,
  createRelationships,
  createTextShape,
} from './make-office.js';
import { createStreamObject } from './make-pdf.js';

const MEBIBYTE = 1_048_576;
const SHEET = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const DOCUMENT = 'word/document.xml';

/**
 * Creates a ZIP archive of about one megabyte, with the parts of a Word document, that unpacks to 210 megabytes.
 *
 * @param declaredBytes unpacked size that the directory of the archive declares, in bytes; by default, the real size
 */
export function createZipBomb(declaredBytes?: number): Uint8Array {
  const spaces = new Uint8Array(210 * MEBIBYTE).fill(0x20);
  const bomb = zipSync({ 'word/styles.xml': strToU8('<x/>'), [DOCUMENT]: [spaces, { level: 1 }] });
  return declaredBytes === undefined ? bomb : setDeclaredSize(bomb, DOCUMENT, declaredBytes);
}

/** Creates a Word document with nested entities that expand to a billion words. */
export function createDocxWithNestedEntities(): Uint8Array {
  const nested = Array.from({ length: 9 }, (_, index) => `<!ENTITY e${index + 1} "${`&e${index};`.repeat(10)}">`);
  const declared = `<!DOCTYPE w [<!ENTITY e0 "word ">${nested.join('')}]>`;
  const body = `<w:body>${createParagraph('&e9;')}</w:body>`;
  return replacePart(
    makeDocx(''),
    DOCUMENT,
    `${declared}<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">${body}</w:document>`,
  );
}

/**
 * Creates a workbook whose sheet has a cell in row 1, a cell in row 10,000,000, and a `dimension` that includes both
 * cells.
 */
export function createSheetWithDistantCells(): Uint8Array {
  const formatCell = (reference: string): string => `<c r="${reference}" t="inlineStr"><is><t>here</t></is></c>`;
  const rows = `<row r="1">${formatCell('A1')}</row><row r="10000000">${formatCell('XFD10000000')}</row>`;
  return createWorkbookWithSheet(`<dimension ref="A1:XFD10000000"/><sheetData>${rows}</sheetData>`);
}

/**
 * Creates a workbook whose sheet has a column of formatted empty cells down to the last row, as spreadsheet programs
 * write it.
 */
export function createSheetWithFormattedColumn(): Uint8Array {
  const empty = Array.from(
    { length: 400_000 },
    (_, row) => `<row r="${row + 2}" ht="15"><c r="A${row + 2}" s="1"/></row>`,
  );
  const first = '<row r="1"><c r="A1" t="inlineStr"><is><t>here</t></is></c></row>';
  return createWorkbookWithSheet(`<sheetData>${first}${empty.join('')}</sheetData>`);
}

/** Creates a PDF with a cycle in its page tree. */
export function createPdfWithPageCycle(): Buffer {
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Count 1000000 /Kids [3 0 R] >>',
    '<< /Type /Pages /Parent 2 0 R /Count 1000000 /Kids [2 0 R 3 0 R] >>',
  ].map((object, index) => `${index + 1} 0 obj\n${object}\nendobj\n`);
  return Buffer.from(`%PDF-1.7\n${objects.join('')}trailer\n<< /Root 1 0 R /Size 4 >>\n%%EOF`);
}

/** Creates fifty megabytes of JSON on one line. */
export function createLongJsonLine(): Buffer {
  return Buffer.from(
    `[${Array.from({ length: 1_000_000 }, (_, id) => `{"id":${id},"text":"some words for an item"}`).join(',')}]`,
  );
}

/** Creates a presentation whose slide references a picture, a chart, notes and comments at `url`, outside the file. */
export function createSlideWithExternalParts(url: string): Uint8Array {
  const outside = `${url}" TargetMode="External`;
  const picture = '<p:pic><p:blipFill><a:blip r:link="image" r:embed="image"/></p:blipFill></p:pic>';
  const made = makePptx([{ shapes: createTextShape(['Here.']) + picture, chart: '<c/>' }]);
  const related = createRelationships({
    image: ['image', outside],
    chart: ['chart', outside],
    notes: ['notesSlide', outside],
    comments: ['comments', outside],
    media: ['video', outside],
  });
  return replacePart(made, 'ppt/slides/_rels/slide1.xml.rels', related);
}

/** Creates a PDF that takes minutes to read: each page has a million operators that draw nothing. */
export function createPdfWithSlowPages(): Buffer {
  const pages = Array.from({ length: 2_000 }, (_, index) => `${index + 4} 0 R`);
  const page = '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 3 0 R >>';
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${pages.length} /Kids [${pages.join(' ')}] >>`,
    createStreamObject('q Q '.repeat(1_000_000)),
    ...pages.map(() => page),
  ].map((object, index) => `${index + 1} 0 obj\n${object}\nendobj\n`);
  return Buffer.from(`%PDF-1.7\n${objects.join('')}trailer\n<< /Root 1 0 R /Size ${objects.length + 1} >>\n%%EOF`);
}

function createWorkbookWithSheet(content: string): Uint8Array {
  return replacePart(makeXlsx({ Sheet: [] }), 'xl/worksheets/sheet1.xml', `<worksheet ${SHEET}>${content}</worksheet>`);
}

function replacePart(archived: Uint8Array, name: string, text: string): Uint8Array {
  return zipSync({ ...unzipSync(archived), [name]: strToU8(text) });
}
