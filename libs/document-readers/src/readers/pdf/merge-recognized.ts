import type { RecognizedPage, RecognizedWord } from '../recognized-page.js';
import type { Annotation } from './annotations.js';
import type { Rectangle } from './bounding-rectangle.js';
import { ROTATIONS, type Glyph } from './glyphs.js';
import { convertBetweenFrames, type PageFrame } from './page-frame.js';
import type { Page } from './pdfium.js';
import { buildRecognizedGlyphs, createRecognizedFrame, computeWordRectangle } from './recognized-glyphs.js';

/**
 * Minimum share of the width of a recognized word that glyphs of the page must cover for the word to count as repeated
 * text.
 */
const MIN_REPEATED_SHARE = 0.3;
/**
 * Minimum vertical overlap of a recognized word and a glyph of the same line, as a share of the height of the smaller
 * rectangle.
 */
const MIN_SHARED_HEIGHT = 0.5;

/**
 * Holds the glyphs and annotations of a page, and the frame (visible area and rotation) to which their coordinates
 * refer.
 */
type PageText = Pick<Page, 'glyphs' | 'annotations' | 'frame'>;

/**
 * Returns the text of a page with the words that OCR has recognized, in the frame of the recognized image. Returns
 * undefined if the words add nothing to the text.
 */
export function addRecognizedWords(read: Page, recognized: RecognizedPage): PageText | undefined {
  const frame = createRecognizedFrame(recognized);
  const glyphs = buildPageGlyphs(read, recognized, frame);
  if (glyphs === undefined) return undefined;
  const annotations = read.annotations.map((one) => convertAnnotationToFrame(one, read.frame, frame));
  return { frame, glyphs, annotations };
}

function buildPageGlyphs(read: Page, recognized: RecognizedPage, frame: PageFrame): readonly Glyph[] | undefined {
  if (read.isPartial) return mergeRecognizedWords(read, recognized, frame);
  return read.isImage ? buildRecognizedGlyphs(recognized) : undefined;
}

/**
 * Merges the text of a page with the recognized words that do not repeat the text. Omits text without a map to Unicode,
 * because the words replace it. Converts the glyphs of the text to the frame of the recognized image.
 */
function mergeRecognizedWords(read: Page, recognized: RecognizedPage, frame: PageFrame): readonly Glyph[] | undefined {
  const text = read.glyphs
    .filter((glyph) => !read.unmapped.has(glyph))
    .map((glyph) => convertGlyphToFrame(glyph, read.frame, frame));
  const visibleGlyphs = text.filter(({ visible }) => visible);
  const words = recognized.words.filter(
    (word) => !isAlreadyInText(word, computeWordRectangle(word, recognized), visibleGlyphs),
  );
  if (words.length === 0) return undefined;
  const added = buildRecognizedGlyphs({ ...recognized, words });
  return insertRecognizedLines(text, added);
}

function convertGlyphToFrame(glyph: Glyph, from: PageFrame, to: PageFrame): Glyph {
  const rotation = ROTATIONS[(glyph.rotation - from.rotation + to.rotation + 4) % 4] ?? 0;
  return { ...glyph, ...convertBetweenFrames(glyph, from, to), rotation };
}

function convertAnnotationToFrame(annotation: Annotation, from: PageFrame, to: PageFrame): Annotation {
  const convert = (rectangle: Rectangle): Rectangle => convertBetweenFrames(rectangle, from, to);
  const { rectangle, markedRectangles } = annotation;
  return { ...annotation, rectangle: convert(rectangle), markedRectangles: markedRectangles.map(convert) };
}

function isAlreadyInText({ text }: RecognizedWord, word: Rectangle, glyphs: readonly Rectangle[]): boolean {
  const width = word.right - word.left;
  const covered = glyphs.reduce(
    (sum, glyph) => sum + (isOnSameLine(word, glyph) ? measureSharedWidth(word, glyph) : 0),
    0,
  );
  return text !== '' && covered >= MIN_REPEATED_SHARE * width;
}

function isOnSameLine(word: Rectangle, glyph: Rectangle): boolean {
  const shared = Math.min(word.top, glyph.top) - Math.max(word.bottom, glyph.bottom);
  return shared > MIN_SHARED_HEIGHT * Math.min(word.top - word.bottom, glyph.top - glyph.bottom);
}

function measureSharedWidth(one: Rectangle, other: Rectangle): number {
  return Math.max(0, Math.min(one.right, other.right) - Math.max(one.left, other.left));
}

/**
 * Joins the glyphs of a text and of recognized words: the lines of the text above all words, then the words, then the
 * remaining lines.
 */
function insertRecognizedLines(text: readonly Glyph[], words: readonly Glyph[]): readonly Glyph[] {
  const top = Math.max(...words.filter(({ visible }) => visible).map((glyph) => glyph.top));
  const isAboveWords = (line: readonly Glyph[]): boolean =>
    line.some(({ visible, bottom }) => visible && bottom >= top);
  const { above = [], below = [] } = Object.groupBy(splitIntoLines(text), (line) =>
    isAboveWords(line) ? 'above' : 'below',
  );
  return [...above.flat(), ...words, ...below.flat()];
}

/** Splits glyphs after each line end. Adds a line end to the last line, so that other lines can follow. */
function splitIntoLines(glyphs: readonly Glyph[]): readonly (readonly Glyph[])[] {
  const lines: Glyph[][] = [];
  for (const glyph of glyphs) {
    const line = lines.at(-1);
    if (line === undefined || line.at(-1)?.text === '\n') lines.push([glyph]);
    else line.push(glyph);
  }
  return lines.map((line) => (line.at(-1)?.text === '\n' ? line : [...line, createLineEndGlyphAfter(line.at(-1))]));
}

function createLineEndGlyphAfter(glyph: Glyph | undefined): Glyph {
  const edges = { left: glyph?.right ?? 0, right: glyph?.right ?? 0, bottom: glyph?.bottom ?? 0, top: glyph?.top ?? 0 };
  return { ...edges, text: '\n', visible: false, size: glyph?.size ?? 0, bold: false, rotation: 0, hyphen: false };
}
