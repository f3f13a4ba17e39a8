import type { Glyph } from './glyphs.js';

/**
 * Describes a box in points from the lower left corner of the page. The box of no glyphs is inverted: it begins at
 * infinity and ends at minus infinity.
 */
export interface Box {
  left: number;
  right: number;
  bottom: number;
  top: number;
}

/**
 * Returns the bounding box of the visible glyphs. Uses one pass without intermediate lists, because it is called for
 * every run of every line.
 */
export function computeBoundingBox(glyphs: readonly Glyph[]): Box {
  const box = { left: Infinity, right: -Infinity, bottom: Infinity, top: -Infinity };
  for (const glyph of glyphs) {
    if (!glyph.visible) continue;
    if (glyph.left < box.left) box.left = glyph.left;
    if (glyph.right > box.right) box.right = glyph.right;
    if (glyph.bottom < box.bottom) box.bottom = glyph.bottom;
    if (glyph.top > box.top) box.top = glyph.top;
  }
  return box;
}
