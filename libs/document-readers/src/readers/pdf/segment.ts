import type { WordRectangles } from './word-rectangles.js';

/** Describes a run of text without a wide gap: a whole line of prose, or a cell of a table. */
export interface Segment {
  readonly text: string;
  readonly left: number;
  readonly right: number;
  /** The rectangles of the words of the segment. Absent if the segment has no glyphs. */
  readonly wordRectangles?: WordRectangles;
  /**
   * Parts of the segment, such as headers of narrow columns. The gaps between them are slightly wider than a space.
   * Absent if the segment has no such gaps.
   */
  readonly parts?: readonly Segment[];
}
