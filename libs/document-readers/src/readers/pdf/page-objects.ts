import { SCRATCH_BYTES } from './glyphs.js';
import type { PdfiumExports } from './pdfium-instance.js';

/** Types of page objects. Source: pdfium's header fpdf_edit.h. */
const TEXT = 1;
const IMAGE = 3;
const FORM = 5;
/** Maximum nesting of forms. pdfium itself parses fewer levels than a hostile file can declare. */
const MAX_DEPTH = 8;
/** Maximum number of objects that are inspected. The image of a scan comes first. */
const MAX_OBJECTS = 10_000;

/** Returns whether an object of a page matches, on its own or in a form. @param isMatch receives its handle and type */
function hasPageObject(
  pdfium: PdfiumExports,
  page: number,
  isMatch: (object: number, type: number) => boolean,
): boolean {
  let inspected = 0;
  const matches = (object: number, depth: number): boolean => {
    inspected += 1;
    const type = pdfium.FPDFPageObj_GetType(object);
    if (type !== FORM || depth === MAX_DEPTH) return isMatch(object, type);
    const count = pdfium.FPDFFormObj_CountObjects(object);
    return someObject(count, (index) => matches(pdfium.FPDFFormObj_GetObject(object, index), depth + 1));
  };
  const someObject = (count: number, isIndexMatch: (index: number) => boolean): boolean => {
    for (let index = 0; index < count && inspected < MAX_OBJECTS; index += 1) if (isIndexMatch(index)) return true;
    return false;
  };
  return someObject(pdfium.FPDFPage_CountObjects(page), (index) => matches(pdfium.FPDFPage_GetObject(page, index), 0));
}

/** Returns whether a page draws an image. */
export function drawsImage(pdfium: PdfiumExports, page: number): boolean {
  return hasPageObject(pdfium, page, (_, type) => type === IMAGE);
}

/**
 * Returns whether a page draws text in one of the fonts, even if pdfium returns no character of it.
 *
 * @param fonts names in Latin-1
 * @param scratch address of `SCRATCH_BYTES` free bytes
 */
export function usesFont(pdfium: PdfiumExports, page: number, fonts: ReadonlySet<string>, scratch: number): boolean {
  if (fonts.size === 0) return false;
  return hasPageObject(pdfium, page, (object, type) => {
    const font = type === TEXT ? pdfium.FPDFTextObj_GetFont(object) : 0;
    if (font === 0) return false;
    const length = pdfium.FPDFFont_GetBaseFontName(font, scratch, SCRATCH_BYTES);
    if (length < 2 || length > SCRATCH_BYTES) return false;
    return fonts.has(Buffer.from(pdfium.memory.buffer, scratch, length - 1).toString('latin1'));
  });
}
