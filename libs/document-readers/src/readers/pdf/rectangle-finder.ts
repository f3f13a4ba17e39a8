import { joinPageRectangles, type PageRectangle, type TextRectangle } from '../text-rectangle.js';
import { CELL_SEPARATOR } from './line.js';
import type { PageLine } from './line-paragraphs.js';
import { convertToDisplayedPage, type PageFrame } from './page-frame.js';
import { rotateRectangle } from './rotated-glyphs.js';
import type { Segment } from './segment.js';
import { getWordRectangle } from './word-rectangles.js';

/** Finds the rectangles of words and lines, relative to the pages as viewers display them: cropped and rotated. */
export class RectangleFinder {
  readonly #frames: readonly PageFrame[];
  readonly #numbers: ReadonlyMap<PageLine, number>;

  /** Assigns a number to each line of a document. @param frames frames of all pages, in page order */
  constructor(lines: readonly PageLine[], frames: readonly PageFrame[]) {
    this.#frames = frames;
    this.#numbers = new Map(lines.map((line, index) => [line, index]));
  }

  /**
   * Returns a rectangle for each word of the lines, in the order of the text.
   *
   * @param starts positions of the lines in the text
   * @param length length of the text, which does not contain the hyphen of a rejoined word
   */
  findTextRectangles(lines: readonly PageLine[], starts: readonly number[], length: number): readonly TextRectangle[] {
    const rectangles: TextRectangle[] = [];
    for (const [index, line] of lines.entries()) {
      let start = starts[index] ?? 0;
      const limit = starts[index + 1] ?? length;
      for (const segment of line.segments) {
        for (const rectangle of this.#findSegmentRectangles(line, segment)) {
          const end = Math.min(start + rectangle.end, limit);
          if (start + rectangle.start < end) rectangles.push({ ...rectangle, start: start + rectangle.start, end });
        }
        start += segment.text.length + CELL_SEPARATOR.length;
      }
    }
    return rectangles;
  }

  /** Returns the rectangle of a whole line, or an empty list if the line is outside the page. */
  findLineRectangle(line: PageLine): readonly PageRectangle[] {
    const rectangles = line.segments.flatMap((segment) => [...this.#findSegmentRectangles(line, segment)]);
    const [first] = rectangles;
    if (first === undefined) return [];
    const { page, line: number } = first;
    return [rectangles.reduce<PageRectangle>(joinPageRectangles, { ...first, page, line: number })];
  }

  *#findSegmentRectangles(line: PageLine, { wordRectangles }: Segment): Generator<TextRectangle> {
    const frame = this.#frames[line.page - 1];
    const number = this.#numbers.get(line);
    if (wordRectangles === undefined || frame === undefined || number === undefined) return;
    const { rotation, words } = wordRectangles;
    for (let index = 0; index < words.length; index += 4) {
      const rectangle = convertToDisplayedPage(
        rotateRectangle(getWordRectangle(wordRectangles, index), INVERSE_ROTATIONS[rotation]),
        frame,
      );
      const range = { start: words[index] ?? 0, end: words[index + 1] ?? 0 };
      if (rectangle !== undefined) yield { ...range, page: line.page, line: number, ...rectangle };
    }
  }
}

/** Maps each rotation to its inverse rotation. */
const INVERSE_ROTATIONS = [0, 3, 2, 1] as const;
