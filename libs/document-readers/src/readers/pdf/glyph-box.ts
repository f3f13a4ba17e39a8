import type { Glyph } from './glyphs.js';

/** In points from the lower left corner of the page. Of no glyphs, it begins at infinity and ends before. */
export interface Box {
  left: number;
  right: number;
  bottom: number;
  top: number;
}

/** What is drawn of the glyphs. One pass and no lists: it is asked for of every run of every line. */
export function boxOf(glyphs: readonly Glyph[]): Box {
  const box = { left: Infinity, right: -Infinity, bottom: Infinity, top: -Infinity };
  for (const glyph of glyphs) {
    if (!glyph.drawn) continue;
    if (glyph.left < box.left) box.left = glyph.left;
    if (glyph.right > box.right) box.right = glyph.right;
    if (glyph.bottom < box.bottom) box.bottom = glyph.bottom;
    if (glyph.top > box.top) box.top = glyph.top;
  }
  return box;
}
