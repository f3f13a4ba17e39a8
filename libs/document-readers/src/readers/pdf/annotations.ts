import type { Rectangle } from './bounding-rectangle.js';
import { readFormValue } from './form-value.js';
import type { PdfiumExports } from './pdfium-instance.js';
import { allocateString, readUtf16String } from './pdfium-strings.js';

/** Describes a form field with a value, a text box, or a comment. */
export interface Annotation {
  /**
   * The kind of annotation. `inline`: a form field or text box, whose text is read at its position on the page.
   * `comment`: a comment, whose text is read after the page.
   */
  readonly kind: 'inline' | 'comment';
  /** Text of the annotation, never empty. */
  readonly text: string;
  /** Author of a comment; empty for other annotations. */
  readonly author: string;
  readonly rectangle: Rectangle;
  /** Areas of the page that the annotation highlights, underlines or strikes out. */
  readonly markedRectangles: readonly Rectangle[];
}

/** Numbers of annotation types in pdfium's header fpdf_annot.h. Source of the types: ISO 32000-1, table 169. */
const LINK = 2;
const FREE_TEXT = 3;
const POPUP = 16;
const WIDGET = 20;
/** Bits of the annotation flags Hidden and NoView. Source: ISO 32000-1, table 165. */
const HIDDEN_FLAGS = 0b10_0010;
const FORM_INFO_BYTES = 512;

/**
 * Holds the handles and addresses for reading the annotations of a document. The context is created when the first
 * annotation is read.
 */
interface AnnotationContext {
  readonly pdfium: PdfiumExports;
  readonly scratch: number;
  readonly form: number;
  /**
   * Addresses in pdfium's memory of the annotation keys `Contents`, `T` (title) and `AS` (state). Source: ISO 32000-1,
   * tables 164 and 170.
   */
  readonly contents: number;
  readonly title: number;
  readonly state: number;
}

/** Creates a function that takes the handle of a page and returns the annotations of the page. */
export function createAnnotationReader(
  pdfium: PdfiumExports,
  document: number,
  scratch: number,
): (page: number) => readonly Annotation[] {
  let context: AnnotationContext | undefined;
  return (page) => {
    const count = pdfium.FPDFPage_GetAnnotCount(page);
    const found: Annotation[] = [];
    for (let index = 0; index < count; index += 1) {
      const annotation = pdfium.FPDFPage_GetAnnot(page, index);
      if (annotation === 0) continue;
      context ??= openAnnotationContext(pdfium, document, scratch);
      const read = readAnnotation(context, annotation);
      if (read !== undefined) found.push(read);
      pdfium.FPDFPage_CloseAnnot(annotation);
    }
    return found;
  };
}

function openAnnotationContext(pdfium: PdfiumExports, document: number, scratch: number): AnnotationContext {
  const [contents, title, state] = [
    allocateString(pdfium, 'Contents'),
    allocateString(pdfium, 'T'),
    allocateString(pdfium, 'AS'),
  ];
  return { pdfium, scratch, form: openFormEnvironment(pdfium, document), contents, title, state };
}

/** Reads an annotation. Returns undefined for a link or popup, and if the annotation is hidden or has no text. */
function readAnnotation(context: AnnotationContext, annotation: number): Annotation | undefined {
  const { pdfium, scratch, form, contents, title, state } = context;
  const type = pdfium.FPDFAnnot_GetSubtype(annotation);
  // Skips a popup, because it displays the comment of another annotation.
  if (type === LINK || type === POPUP || (pdfium.FPDFAnnot_GetFlags(annotation) & HIDDEN_FLAGS) !== 0) return undefined;
  const readAnnotationEntry = (key: number): string =>
    readUtf16String(pdfium, (address, bytes) => pdfium.FPDFAnnot_GetStringValue(annotation, key, address, bytes));
  const isField = type === WIDGET;
  const text = (
    isField ? readFormValue(pdfium, form, annotation, readAnnotationEntry(state)) : readAnnotationEntry(contents)
  ).trim();
  if (text === '') return undefined;
  const position = {
    rectangle: readAnnotationRectangle(pdfium, annotation, scratch),
    markedRectangles: readMarkedRectangles(pdfium, annotation, scratch),
  };
  if (isField || type === FREE_TEXT) return { kind: 'inline', text, author: '', ...position };
  return { kind: 'comment', text, author: readAnnotationEntry(title).trim(), ...position };
}

/** Opens pdfium's form environment, which gives access to the form fields of a document. Registers no callbacks. */
function openFormEnvironment(pdfium: PdfiumExports, document: number): number {
  const info = pdfium.malloc(FORM_INFO_BYTES);
  new Uint8Array(pdfium.memory.buffer, info, FORM_INFO_BYTES).fill(0);
  new Int32Array(pdfium.memory.buffer, info, 1)[0] = 1;
  return pdfium.FPDFDOC_InitFormFillEnvironment(document, info);
}

function readAnnotationRectangle(pdfium: PdfiumExports, annotation: number, scratch: number): Rectangle {
  pdfium.FPDFAnnot_GetRect(annotation, scratch);
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = new Float32Array(pdfium.memory.buffer, scratch, 4);
  // A PDF can store a rectangle as any two opposite corners.
  return { left: Math.min(x1, x2), right: Math.max(x1, x2), bottom: Math.min(y1, y2), top: Math.max(y1, y2) };
}

/** Returns a rectangle for each line of text that an annotation highlights, underlines or strikes out. */
function readMarkedRectangles(pdfium: PdfiumExports, annotation: number, scratch: number): readonly Rectangle[] {
  const rectangles: Rectangle[] = [];
  for (let index = 0; index < pdfium.FPDFAnnot_CountAttachmentPoints(annotation); index += 1) {
    pdfium.FPDFAnnot_GetAttachmentPoints(annotation, index, scratch);
    const points = [...new Float32Array(pdfium.memory.buffer, scratch, 8)];
    const across = points.filter((_, position) => position % 2 === 0);
    const up = points.filter((_, position) => position % 2 === 1);
    rectangles.push({
      left: Math.min(...across),
      right: Math.max(...across),
      bottom: Math.min(...up),
      top: Math.max(...up),
    });
  }
  return rectangles;
}
