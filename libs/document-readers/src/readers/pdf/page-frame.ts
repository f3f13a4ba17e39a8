import { UNITS_PER_PAGE, type PageBox } from '../text-box.js';
import type { Box } from './glyph-box.js';
import type { Rotation } from './glyphs.js';
import type { PdfiumExports } from './pdfium-instance.js';

/** Describes how a page is displayed. */
export interface PageFrame {
  /** The visible area, in points from the lower left corner of the page. */
  readonly area: Box;
  /** Clockwise rotation of the displayed page, in quarter turns. */
  readonly rotation: Rotation;
}

/**
 * Reads the frame of a page, before the page is rotated.
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

type Edges = Omit<PageBox, 'page' | 'line'>;

/** Converts a box in points to the displayed page. Returns undefined if it is outside the page or not a box. */
export function toDisplayedBox({ left, right, bottom, top }: Box, { area, rotation }: PageFrame): Edges | undefined {
  const [width, height] = [area.right - area.left, area.top - area.bottom];
  const [fromLeft, fromRight] = [(left - area.left) / width, (right - area.left) / width];
  const [fromTop, fromBottom] = [(area.top - top) / height, (area.top - bottom) / height];
  switch (rotation) {
    case 0:
      return toUnits({ left: fromLeft, right: fromRight, top: fromTop, bottom: fromBottom });
    case 1:
      return toUnits({ left: 1 - fromBottom, right: 1 - fromTop, top: fromLeft, bottom: fromRight });
    case 2:
      return toUnits({ left: 1 - fromRight, right: 1 - fromLeft, top: 1 - fromBottom, bottom: 1 - fromTop });
    case 3:
      return toUnits({ left: fromTop, right: fromBottom, top: 1 - fromRight, bottom: 1 - fromLeft });
  }
}

/** Converts edges to page units. Rounds outwards, within the page. Comparisons are false for edges that are not numbers. */
function toUnits({ left, right, top, bottom }: Edges): Edges | undefined {
  const edges = {
    left: Math.max(0, Math.floor(left * UNITS_PER_PAGE)),
    right: Math.min(UNITS_PER_PAGE, Math.ceil(right * UNITS_PER_PAGE)),
    top: Math.max(0, Math.floor(top * UNITS_PER_PAGE)),
    bottom: Math.min(UNITS_PER_PAGE, Math.ceil(bottom * UNITS_PER_PAGE)),
  };
  return edges.left < edges.right && edges.top < edges.bottom ? edges : undefined;
}
