import type { Rectangle } from './bounding-rectangle.js';
import { SCRATCH_BYTES } from './glyph-scratch.js';
import type { PdfiumExports } from './pdfium-instance.js';

/** Numbers of the types of page objects. Source: pdfium's header fpdf_edit.h. */
const TEXT = 1;
const IMAGE = 3;
const FORM = 5;
/** Maximum depth of nested form XObjects to search, because a hostile file can nest them to any depth. */
const MAX_DEPTH = 8;
/** Maximum number of objects of a page to inspect. The image of a scanned page is among the first objects. */
const MAX_OBJECTS = 10_000;

type IsMatch = (object: number, type: number) => boolean;

/**
 * Creates a function that returns whether `isMatch` accepts an object or, for a form XObject, any object inside it. All
 * calls of the function together inspect at most `MAX_OBJECTS` objects.
 */
function createObjectMatcher(pdfium: PdfiumExports, isMatch: IsMatch): (object: number) => boolean {
  let inspected = 0;
  const isMatchWithin = (object: number, depth: number): boolean => {
    inspected += 1;
    const type = pdfium.FPDFPageObj_GetType(object);
    if (type !== FORM || depth === MAX_DEPTH) return isMatch(object, type);
    const count = pdfium.FPDFFormObj_CountObjects(object);
    for (let index = 0; index < count && inspected < MAX_OBJECTS; index += 1) {
      if (isMatchWithin(pdfium.FPDFFormObj_GetObject(object, index), depth + 1)) return true;
    }
    return false;
  };
  return (object) => inspected < MAX_OBJECTS && isMatchWithin(object, 0);
}

/** Lists the objects of a page, without the objects inside form XObjects. */
function listObjects(pdfium: PdfiumExports, page: number): readonly number[] {
  const length = Math.min(MAX_OBJECTS, pdfium.FPDFPage_CountObjects(page));
  return Array.from({ length }, (_, index) => pdfium.FPDFPage_GetObject(page, index));
}

/** Returns whether a page draws an image, directly or inside a form XObject. */
export function hasImage(pdfium: PdfiumExports, page: number): boolean {
  return listObjects(pdfium, page).some(createObjectMatcher(pdfium, (_, type) => type === IMAGE));
}

/**
 * Measures the share of an area that images cover. The overlap of two images counts twice, so the share can exceed 1.
 *
 * @param area area of the page, in points
 * @param scratch address of `SCRATCH_BYTES` free bytes
 */
export function measureImageShare(pdfium: PdfiumExports, page: number, area: Rectangle, scratch: number): number {
  const images = listObjects(pdfium, page).filter(createObjectMatcher(pdfium, (_, type) => type === IMAGE));
  const covered = images.reduce(
    (sum, image) => sum + measureIntersectionArea(readObjectRectangle(pdfium, image, scratch), area),
    0,
  );
  return covered / measureIntersectionArea(area, area);
}

function readObjectRectangle(pdfium: PdfiumExports, object: number, scratch: number): Rectangle {
  if (pdfium.FPDFPageObj_GetBounds(object, scratch, scratch + 4, scratch + 8, scratch + 12) === 0)
    return EMPTY_RECTANGLE;
  const [left = 0, bottom = 0, right = 0, top = 0] = new Float32Array(pdfium.memory.buffer, scratch, 4);
  return { left, bottom, right, top };
}

const EMPTY_RECTANGLE: Rectangle = { left: 0, bottom: 0, right: 0, top: 0 };

function measureIntersectionArea(one: Rectangle, other: Rectangle): number {
  const width = Math.min(one.right, other.right) - Math.max(one.left, other.left);
  const height = Math.min(one.top, other.top) - Math.max(one.bottom, other.bottom);
  return Math.max(0, width) * Math.max(0, height);
}

/**
 * Returns whether a page draws text in one of the given fonts, even if pdfium returns no character of that text.
 *
 * @param fonts names of the fonts, in Latin-1
 * @param scratch address of `SCRATCH_BYTES` free bytes
 */
export function hasTextInFonts(
  pdfium: PdfiumExports,
  page: number,
  fonts: ReadonlySet<string>,
  scratch: number,
): boolean {
  if (fonts.size === 0) return false;
  const isTextInFonts: IsMatch = (object, type) => {
    const font = type === TEXT ? pdfium.FPDFTextObj_GetFont(object) : 0;
    if (font === 0) return false;
    const length = pdfium.FPDFFont_GetBaseFontName(font, scratch, SCRATCH_BYTES);
    if (length < 2 || length > SCRATCH_BYTES) return false;
    return fonts.has(Buffer.from(pdfium.memory.buffer, scratch, length - 1).toString('latin1'));
  };
  return listObjects(pdfium, page).some(createObjectMatcher(pdfium, isTextInFonts));
}
