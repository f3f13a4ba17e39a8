import type { Rectangle } from './bounding-rectangle.js';
import { findMainRotation, type Glyph, type Rotation } from './glyphs.js';

/** Describes the glyphs of a page whose text runs in the same direction. */
export interface RotatedGlyphs {
  /** The glyphs, with their rectangles rotated so that the text runs from left to right. */
  readonly glyphs: readonly Glyph[];
  /**
   * Clockwise rotation, in quarter turns, that restores the position of `glyphs` relative to most text of the page. 0
   * if `glyphs` are most text of the page.
   */
  readonly relativeRotation: Rotation;
}

/**
 * Groups glyphs by their rotation, and rotates each group so that its text runs from left to right. Wide tables are
 * often printed sideways on an upright page, or the text of a whole page is rotated.
 *
 * @returns the groups; the group with most glyphs is last
 */
export function groupByRotation(glyphs: readonly Glyph[]): readonly RotatedGlyphs[] {
  if (glyphs.every(({ rotation, visible }) => rotation === 0 || !visible)) return [{ glyphs, relativeRotation: 0 }];
  const parts = new Map<Rotation, Glyph[]>();
  let rotation = glyphs.find(({ visible }) => visible)?.rotation ?? 0;
  for (const glyph of glyphs) {
    if (glyph.visible) rotation = glyph.rotation;
    const part = parts.get(rotation) ?? [];
    parts.set(rotation, part);
    part.push(rotation === 0 ? glyph : { ...glyph, ...rotateRectangle(glyph, rotation) });
  }
  const mainRotation = findMainRotation(glyphs);
  const groups = [...parts].map(([of, part]) => ({
    glyphs: part,
    relativeRotation: RELATIVE_ROTATIONS[(of - mainRotation + 4) % 4] ?? 0,
  }));
  return groups.toSorted((one, other) => other.relativeRotation - one.relativeRotation);
}

/** Rotates a rectangle clockwise around the origin, by quarter turns. */
export function rotateRectangle({ left, right, bottom, top }: Rectangle, rotation: Rotation): Rectangle {
  switch (rotation) {
    case 0:
      return { left, right, bottom, top };
    case 1:
      return { left: bottom, right: top, bottom: -right, top: -left };
    case 2:
      return { left: -right, right: -left, bottom: -top, top: -bottom };
    case 3:
      return { left: -top, right: -bottom, bottom: left, top: right };
  }
}

/** Maps the difference between a group's rotation and the main rotation to the group's relative rotation. */
const RELATIVE_ROTATIONS: readonly Rotation[] = [0, 3, 2, 1];
