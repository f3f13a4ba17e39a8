import type { RecognizedPage, RecognizedWord } from '../recognized-page.js';
import type { Rectangle } from './bounding-rectangle.js';
import { ROTATIONS, type Glyph } from './glyphs.js';
import { computeMedian } from './line.js';
import type { PageFrame } from './page-frame.js';

const POINTS_PER_INCH = 72;
/**
 * Minimum height of a line that counts as larger type, relative to the median height of the page's lines. Smaller
 * differences can result from the letters in a line.
 */
const MIN_LARGE_RATIO = 1.5;

/**
 * Returns the frame of a recognized page, in coordinates of the upright image. The rotation of the frame undoes the
 * turns by which OCR made the image upright, because viewers display the page without these turns.
 */
export function createRecognizedFrame({ image, turns = 0 }: RecognizedPage): PageFrame {
  const pointsPerPixel = POINTS_PER_INCH / image.dpi;
  const [width, height] = turns % 2 === 0 ? [image.width, image.height] : [image.height, image.width];
  const area = { left: 0, right: width * pointsPerPixel, bottom: 0, top: height * pointsPerPixel };
  return { area, rotation: ROTATIONS[(4 - turns) % 4] ?? 0 };
}

/** Returns the rectangle of a recognized word in points, in the frame of its page. */
export function computeWordRectangle(word: RecognizedWord, page: RecognizedPage): Rectangle {
  const pointsPerPixel = POINTS_PER_INCH / page.image.dpi;
  const { top } = createRecognizedFrame(page).area;
  return {
    ...{ left: word.left * pointsPerPixel, right: (word.left + word.width) * pointsPerPixel },
    ...{ top: top - word.top * pointsPerPixel, bottom: top - (word.top + word.height) * pointsPerPixel },
  };
}

/**
 * Converts the recognized words of a page to glyphs, so that a scanned page is read like a page with text. Every glyph
 * has the height of its line. Its font size is the median line height of the page, or the height of its line if
 * `MIN_LARGE_RATIO` is reached.
 */
export function buildRecognizedGlyphs(page: RecognizedPage): readonly Glyph[] {
  const pageTop = createRecognizedFrame(page).area.top;
  const lines = groupWordsIntoLines(page.words).map((line) => ({ line, rectangle: computeLineRectangle(line) }));
  const bodyHeight = computeMedian(lines.map(({ rectangle }) => rectangle.bottom - rectangle.top));
  const pointsPerPixel = POINTS_PER_INCH / page.image.dpi;
  return lines.flatMap(({ line, rectangle }, index) => {
    const height = rectangle.bottom - rectangle.top;
    const size = (height >= MIN_LARGE_RATIO * bodyHeight ? height : bodyHeight) * pointsPerPixel;
    const vertical = {
      bottom: pageTop - rectangle.bottom * pointsPerPixel,
      top: pageTop - rectangle.top * pointsPerPixel,
      size,
    };
    const isHyphenated = isLineHyphenated(line, lines[index + 1]?.line);
    return buildLineGlyphs(line, pointsPerPixel, { ...vertical, isHyphenated });
  });
}

interface LineStyle extends Pick<Glyph, 'bottom' | 'top' | 'size'> {
  /** True if the last word of the line continues in the next line. */
  readonly isHyphenated: boolean;
}

function buildLineGlyphs(line: readonly RecognizedWord[], pointsPerPixel: number, style: LineStyle): readonly Glyph[] {
  const { isHyphenated, ...edges } = style;
  const glyphs: Glyph[] = [];
  const addGlyph = (text: string, left: number, right: number, hyphen = false): void => {
    const visible = text.trim() !== '';
    glyphs.push({ text, visible, left, right, ...edges, bold: false, rotation: 0, hyphen });
  };
  for (const [at, word] of line.entries()) {
    const characters = Array.from(word.text);
    const left = word.left * pointsPerPixel;
    const step = (word.width * pointsPerPixel) / characters.length;
    if (at > 0) addGlyph(' ', glyphs.at(-1)?.right ?? left, left);
    for (const [index, character] of characters.entries()) {
      const isLast = at === line.length - 1 && index === characters.length - 1;
      addGlyph(character, left + index * step, left + (index + 1) * step, isLast && isHyphenated);
    }
  }
  const end = glyphs.at(-1)?.right ?? 0;
  // As in the glyphs of pdfium, a hyphenated line ends with the hyphen, without a line end.
  if (!isHyphenated) addGlyph('\n', end, end);
  return glyphs;
}

function groupWordsIntoLines(words: readonly RecognizedWord[]): readonly (readonly RecognizedWord[])[] {
  const lines: RecognizedWord[][] = [];
  for (const word of words) {
    const before = lines.at(-1);
    if (before?.[0]?.line === word.line) before.push(word);
    else lines.push([word]);
  }
  return lines;
}

/** Returns the rectangle of a line in pixels of the image: `top` is smaller than `bottom`. */
function computeLineRectangle(line: readonly RecognizedWord[]): Rectangle {
  return {
    left: Math.min(...line.map((word) => word.left)),
    right: Math.max(...line.map((word) => word.left + word.width)),
    top: Math.min(...line.map((word) => word.top)),
    bottom: Math.max(...line.map((word) => word.top + word.height)),
  };
}

/**
 * Returns whether a line ends with a hyphen after a lower-case letter, and the next line begins with a lower-case
 * letter.
 */
function isLineHyphenated(line: readonly RecognizedWord[], next: readonly RecognizedWord[] | undefined): boolean {
  return /\p{Ll}[-\u2010\u00ad]$/u.test(line.at(-1)?.text ?? '') && /^\p{Ll}/u.test(next?.[0]?.text ?? '');
}
