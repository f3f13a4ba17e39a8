import type { PdfiumExports } from './pdfium-instance.js';

const IMAGE = 3;
const FORM = 5;
/** Maximum nesting of forms. pdfium itself parses fewer levels than a hostile file can declare. */
const MAX_DEPTH = 8;
/** Maximum number of objects that are inspected. The image of a scan comes first. */
const MAX_OBJECTS = 10_000;

/** Returns whether a page draws an image, on its own or in a form. */
export function drawsImage(pdfium: PdfiumExports, page: number): boolean {
  let inspected = 0;
  const isImage = (object: number, depth: number): boolean => {
    inspected += 1;
    const type = pdfium.FPDFPageObj_GetType(object);
    if (type !== FORM || depth === MAX_DEPTH) return type === IMAGE;
    const count = pdfium.FPDFFormObj_CountObjects(object);
    return someObject(count, (index) => isImage(pdfium.FPDFFormObj_GetObject(object, index), depth + 1));
  };
  const someObject = (count: number, isMatch: (index: number) => boolean): boolean => {
    for (let index = 0; index < count && inspected < MAX_OBJECTS; index += 1) if (isMatch(index)) return true;
    return false;
  };
  return someObject(pdfium.FPDFPage_CountObjects(page), (index) => isImage(pdfium.FPDFPage_GetObject(page, index), 0));
}
