import type { Glyph } from './glyphs.js';

/**
 * Describes a rectangle in points from the lower left corner of the page. The bounding rectangle of an empty list of
 * glyphs is inverted: it begins at infinity and ends at minus infinity.
 */
export interface Rectangle {
  left: number;
  right: number;
  bottom: number;
  top: number;
}

/**
 * Returns the bounding rectangle of the visible glyphs. Uses one pass without intermediate lists, because this function
 * is called for every run of every line.
 */
export function computeBoundingRectangle(glyphs: readonly Glyph[]): Rectangle {
  const rectangle = { left: Infinity, right: -Infinity, bottom: Infinity, top: -Infinity };
  for (const glyph of glyphs) {
    if (!glyph.visible) continue;
    if (glyph.left < rectangle.left) rectangle.left = glyph.left;
    if (glyph.right > rectangle.right) rectangle.right = glyph.right;
    if (glyph.bottom < rectangle.bottom) rectangle.bottom = glyph.bottom;
    if (glyph.top > rectangle.top) rectangle.top = glyph.top;
  }
  return rectangle;
}
