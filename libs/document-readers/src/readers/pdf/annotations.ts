import type { Box } from './glyph-box.js';
import { formValueOf } from './form-value.js';
import type { Exports } from './pdfium-instance.js';
import { addressOf, textFrom } from './pdfium-strings.js';

/** What is laid over a page: a form's field that is filled in, text that is written into a box, or a comment. */
export interface Annotation {
  /** A comment is read beside the page. What is written is read where it stands. */
  readonly kind: 'written' | 'comment';
  /** Not empty. */
  readonly text: string;
  /** Of a comment. */
  readonly author: string;
  readonly box: Box;
  /** What it marks of the page. */
  readonly marked: readonly Box[];
}

/** Source: ISO 32000-1, table 169, in the numbers of pdfium's header fpdf_annot.h. */
const LINK = 2;
const FREE_TEXT = 3;
const POPUP = 16;
const WIDGET = 20;
/** Hidden, or not shown on a screen. Source: ISO 32000-1, table 165. */
const NOT_SHOWN = 0b10_0010;
const FORM_INFO_BYTES = 512;

/** What of a document the annotations of its pages are read with, made when the first is found. */
interface Reading {
  readonly pdfium: Exports;
  readonly scratch: number;
  readonly form: number;
  /** Addresses of the names of entries. Source: ISO 32000-1, tables 164 and 170. */
  readonly contents: number;
  readonly title: number;
  readonly state: number;
}

/** @returns what a page has of annotations, by the page's handle */
export function annotationReader(
  pdfium: Exports,
  document: number,
  scratch: number,
): (page: number) => readonly Annotation[] {
  let reading: Reading | undefined;
  return (page) => {
    const count = pdfium.FPDFPage_GetAnnotCount(page);
    const found: Annotation[] = [];
    for (let index = 0; index < count; index += 1) {
      const annotation = pdfium.FPDFPage_GetAnnot(page, index);
      if (annotation === 0) continue;
      reading ??= readingOf(pdfium, document, scratch);
      const read = annotationOf(reading, annotation);
      if (read !== undefined) found.push(read);
      pdfium.FPDFPage_CloseAnnot(annotation);
    }
    return found;
  };
}

function readingOf(pdfium: Exports, document: number, scratch: number): Reading {
  const [contents, title, state] = [addressOf(pdfium, 'Contents'), addressOf(pdfium, 'T'), addressOf(pdfium, 'AS')];
  return { pdfium, scratch, form: formOf(pdfium, document), contents, title, state };
}

/** @returns undefined where it is not shown, or says nothing */
function annotationOf(reading: Reading, annotation: number): Annotation | undefined {
  const { pdfium, scratch, form, contents, title, state } = reading;
  const type = pdfium.FPDFAnnot_GetSubtype(annotation);
  // A popup shows the comment of another annotation.
  if (type === LINK || type === POPUP || (pdfium.FPDFAnnot_GetFlags(annotation) & NOT_SHOWN) !== 0) return undefined;
  const entry = (key: number): string =>
    textFrom(pdfium, (address, bytes) => pdfium.FPDFAnnot_GetStringValue(annotation, key, address, bytes));
  const isField = type === WIDGET;
  const text = (isField ? formValueOf(pdfium, form, annotation, entry(state)) : entry(contents)).trim();
  if (text === '') return undefined;
  const place = { box: boxOf(pdfium, annotation, scratch), marked: markedBy(pdfium, annotation, scratch) };
  if (isField || type === FREE_TEXT) return { kind: 'written', text, author: '', ...place };
  return { kind: 'comment', text, author: entry(title).trim(), ...place };
}

/** What pdfium knows a document's fields by. It is told to call nobody. */
function formOf(pdfium: Exports, document: number): number {
  const info = pdfium.malloc(FORM_INFO_BYTES);
  new Uint8Array(pdfium.memory.buffer, info, FORM_INFO_BYTES).fill(0);
  new Int32Array(pdfium.memory.buffer, info, 1)[0] = 1;
  return pdfium.FPDFDOC_InitFormFillEnvironment(document, info);
}

function boxOf(pdfium: Exports, annotation: number, scratch: number): Box {
  pdfium.FPDFAnnot_GetRect(annotation, scratch);
  const [left = 0, top = 0, right = 0, bottom = 0] = new Float32Array(pdfium.memory.buffer, scratch, 4);
  return { left, right, bottom, top };
}

/** The corners of what is highlighted, underlined or struck out, line by line. */
function markedBy(pdfium: Exports, annotation: number, scratch: number): readonly Box[] {
  const boxes: Box[] = [];
  for (let index = 0; index < pdfium.FPDFAnnot_CountAttachmentPoints(annotation); index += 1) {
    pdfium.FPDFAnnot_GetAttachmentPoints(annotation, index, scratch);
    const points = [...new Float32Array(pdfium.memory.buffer, scratch, 8)];
    const across = points.filter((_, place) => place % 2 === 0);
    const up = points.filter((_, place) => place % 2 === 1);
    boxes.push({
      left: Math.min(...across),
      right: Math.max(...across),
      bottom: Math.min(...up),
      top: Math.max(...up),
    });
  }
  return boxes;
}
