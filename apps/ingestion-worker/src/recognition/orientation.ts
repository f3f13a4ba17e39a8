import type { PageImage, QuarterTurns } from '@quarry/document-readers';
import { measureRecognizedText } from './layout.js';
import type { TsvWord } from './parse-tsv.js';

/**
 * Minimum mean confidence of the words of an upright page, from 0 to 100. A page with a lower mean may be upside down.
 * The mean of a report page is about 40 if the page is upside down, and about 90 if it is upright.
 */
const MIN_CONFIDENCE = 65;
/** Minimum share, from 0 to 1, of words that are higher than wide on a page whose lines run up or down. */
const MIN_TALL_SHARE = 0.5;
/**
 * Minimum number of characters of a word whose height and width are compared. A shorter word can be higher than wide
 * although it is upright.
 */
const MIN_CHARACTERS = 4;
/**
 * Minimum ratio for which a turned page counts as better: the amount of text recognized after the turn, divided by the
 * amount before. It applies to pages with horizontal lines.
 */
const MIN_RATIO = 1.2;
/**
 * The ratio that replaces `MIN_RATIO` for pages whose lines run up or down. It is lower, because Tesseract reads some
 * of these pages correctly even before the turn: those whose lines run down.
 */
const MIN_RATIO_OF_TALL = 0.9;

/**
 * Returns the number of quarter turns that may make a page upright, judged by its words. Tesseract correctly reads
 * upright lines and lines that run downwards. For other lines, it returns wrong words with a low confidence.
 */
export function guessQuarterTurns(words: readonly TsvWord[]): QuarterTurns {
  if (words.length === 0) return 0;
  const isCertain = words.reduce((sum, { confidence }) => sum + confidence, 0) >= MIN_CONFIDENCE * words.length;
  if (hasTallWords(words)) return isCertain ? 3 : 1;
  return isCertain ? 0 : 2;
}

/** Returns whether the words that were recognized on the turned page are better than those on the original page. */
export function isTurnedPageBetter(turnedWords: readonly TsvWord[], originalWords: readonly TsvWord[]): boolean {
  if (hasTallWords(turnedWords)) return false;
  return (
    measureRecognizedText(turnedWords) >=
    (hasTallWords(originalWords) ? MIN_RATIO_OF_TALL : MIN_RATIO) * measureRecognizedText(originalWords)
  );
}

function hasTallWords(words: readonly TsvWord[]): boolean {
  const long = words.filter(({ text }) => text.length >= MIN_CHARACTERS);
  const tall = long.filter(({ width, height }) => height > width);
  return long.length > 0 && tall.length >= MIN_TALL_SHARE * long.length;
}

/** Turns an image clockwise by a number of quarter turns. */
export function turnImage(image: PageImage, turns: QuarterTurns): PageImage {
  return Array.from({ length: turns }).reduce<PageImage>(turnQuarterClockwise, image);
}

function turnQuarterClockwise({ width, height, dpi, pixels }: PageImage): PageImage {
  const turned = new Uint8Array(pixels.length);
  for (let row = 0, from = 0; row < height; row += 1) {
    for (let column = 0; column < width; column += 1, from += 1) {
      turned[column * height + height - 1 - row] = pixels[from] ?? 0;
    }
  }
  return { width: height, height: width, dpi, pixels: turned };
}
