import { joinPageBoxes, type PageBox, type TextBox } from '../text-box.js';
import { CELL_SEPARATOR } from './line.js';
import type { PageLine } from './line-paragraphs.js';
import { toDisplayedBox, type PageFrame } from './page-frame.js';
import { rotateBox } from './rotated-glyphs.js';
import type { Segment } from './segment.js';
import { getWordBox } from './word-places.js';

/** Places the lines of a document on its displayed pages. */
export class LinePlacer {
  readonly #frames: readonly PageFrame[];
  readonly #numbers: ReadonlyMap<PageLine, number>;

  /** @param frames of all pages */
  constructor(lines: readonly PageLine[], frames: readonly PageFrame[]) {
    this.#frames = frames;
    this.#numbers = new Map(lines.map((line, index) => [line, index]));
  }

  /**
   * Returns a box for each word of the lines, in the order of the text.
   *
   * @param starts positions of the lines in the text
   * @param length of the text. The hyphen of a rejoined word is not in it.
   */
  placeText(lines: readonly PageLine[], starts: readonly number[], length: number): readonly TextBox[] {
    const boxes: TextBox[] = [];
    for (const [index, line] of lines.entries()) {
      let start = starts[index] ?? 0;
      const limit = starts[index + 1] ?? length;
      for (const segment of line.segments) {
        for (const box of this.#placeWords(line, segment)) {
          const end = Math.min(start + box.end, limit);
          if (start + box.start < end) boxes.push({ ...box, start: start + box.start, end });
        }
        start += segment.text.length + CELL_SEPARATOR.length;
      }
    }
    return boxes;
  }

  /** Returns the box of a whole line; none if it is outside the page. */
  placeLine(line: PageLine): readonly PageBox[] {
    const boxes = line.segments.flatMap((segment) => [...this.#placeWords(line, segment)]);
    const [first] = boxes;
    if (first === undefined) return [];
    const { page, line: number } = first;
    return [boxes.reduce<PageBox>(joinPageBoxes, { ...first, page, line: number })];
  }

  *#placeWords(line: PageLine, { places }: Segment): Generator<TextBox> {
    const frame = this.#frames[line.page - 1];
    const number = this.#numbers.get(line);
    if (places === undefined || frame === undefined || number === undefined) return;
    const { rotation, words } = places;
    for (let index = 0; index < words.length; index += 4) {
      const box = toDisplayedBox(rotateBox(getWordBox(places, index), INVERSE_ROTATIONS[rotation]), frame);
      const range = { start: words[index] ?? 0, end: words[index + 1] ?? 0 };
      if (box !== undefined) yield { ...range, page: line.page, line: number, ...box };
    }
  }
}

/** Maps each rotation to the one that undoes it. */
const INVERSE_ROTATIONS = [0, 3, 2, 1] as const;
