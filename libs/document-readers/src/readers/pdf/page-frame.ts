import { UNITS_PER_PAGE, type PageRectangle } from '../text-rectangle.js';
import type { Rectangle } from './bounding-rectangle.js';
import { ROTATIONS, type Rotation } from './glyphs.js';
import type { PdfiumExports } from './pdfium-instance.js';

/** Describes the visible area of a page and its rotation on display. */
export interface PageFrame {
  /** The visible area, in points from the lower left corner of the page. */
  readonly area: Rectangle;
  /** Clockwise rotation of the displayed page, in quarter turns. */
  readonly rotation: Rotation;
}

/**
 * Reads the frame of a page. Call this function before `readGlyphs`, which can rotate the page.
 *
 * @param page handle of the page
 * @param scratch address of 16 free bytes
 */
export function readPageFrame(pdfium: PdfiumExports, page: number, scratch: number): PageFrame {
  const isKnown = pdfium.FPDF_GetPageBoundingBox(page, scratch) !== 0;
  const [left = 0, top = 0, right = 0, bottom = 0] = isKnown
    ? new Float32Array(pdfium.memory.buffer, scratch, 4)
    : new Float32Array(4);
  const turns = pdfium.FPDFPage_GetRotation(page);
  return { area: { left, right, bottom, top }, rotation: turns === 1 || turns === 2 || turns === 3 ? turns : 0 };
}

type Edges = Omit<PageRectangle, 'page' | 'line'>;

/**
 * Converts a rectangle in points to page units (`UNITS_PER_PAGE`), relative to the displayed page. Returns undefined if
 * the rectangle is outside the page or empty.
 */
export function convertToDisplayedPage(rectangle: Rectangle, frame: PageFrame): Edges | undefined {
  return convertToPageUnits(convertToPageShares(rectangle, frame));
}

/**
 * Converts a rectangle in points from one frame of a page to another frame of the page, such as that of its recognized
 * image.
 */
export function convertBetweenFrames(rectangle: Rectangle, from: PageFrame, { area, rotation }: PageFrame): Rectangle {
  const { left, right, top, bottom } = rotateEdges(
    convertToPageShares(rectangle, from),
    ROTATIONS[(4 - rotation) % 4] ?? 0,
  );
  const [width, height] = [area.right - area.left, area.top - area.bottom];
  return {
    ...{ left: area.left + left * width, right: area.left + right * width },
    ...{ top: area.top - top * height, bottom: area.top - bottom * height },
  };
}

/**
 * Converts a rectangle in points to shares of the width and height of the displayed page, from its upper left corner.
 */
function convertToPageShares({ left, right, bottom, top }: Rectangle, { area, rotation }: PageFrame): Edges {
  const [width, height] = [area.right - area.left, area.top - area.bottom];
  const horizontal = { left: (left - area.left) / width, right: (right - area.left) / width };
  return rotateEdges({ ...horizontal, top: (area.top - top) / height, bottom: (area.top - bottom) / height }, rotation);
}

/** Rotates a rectangle, given as shares of the page, clockwise together with the page. */
function rotateEdges({ left, right, top, bottom }: Edges, quarters: Rotation): Edges {
  switch (quarters) {
    case 0:
      return { left, right, top, bottom };
    case 1:
      return { left: 1 - bottom, right: 1 - top, top: left, bottom: right };
    case 2:
      return { left: 1 - right, right: 1 - left, top: 1 - bottom, bottom: 1 - top };
    case 3:
      return { left: top, right: bottom, top: 1 - right, bottom: 1 - left };
  }
}

/**
 * Converts shares of the page to page units (`UNITS_PER_PAGE`), rounded outwards but not beyond the page. Returns
 * undefined for an empty rectangle or a NaN edge.
 */
function convertToPageUnits({ left, right, top, bottom }: Edges): Edges | undefined {
  const edges = {
    left: Math.max(0, Math.floor(left * UNITS_PER_PAGE)),
    right: Math.min(UNITS_PER_PAGE, Math.ceil(right * UNITS_PER_PAGE)),
    top: Math.max(0, Math.floor(top * UNITS_PER_PAGE)),
    bottom: Math.min(UNITS_PER_PAGE, Math.ceil(bottom * UNITS_PER_PAGE)),
  };
  return edges.left < edges.right && edges.top < edges.bottom ? edges : undefined;
}
