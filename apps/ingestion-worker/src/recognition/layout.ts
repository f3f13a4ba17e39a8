import type { TsvWord } from './parse-tsv.js';

/** Maximum share of words that contain a digit. A page with a greater share may contain a table. */
const MAX_DIGIT_SHARE = 0.1;
/** Minimum average number of words per line. A page with fewer words per line may contain a table. */
const MIN_WORDS_PER_LINE = 6;
/** Minimum number of lines for which a block of words counts as prose. */
const MIN_PROSE_LINES = 5;
/** Minimum average number of words without digits per line for which a block counts as prose. */
const MIN_PROSE_WORDS = 4;

/**
 * Returns whether a page may contain a table or a table of contents: its lines have few words, or many words contain a
 * digit.
 */
export function mayHaveTable(words: readonly TsvWord[]): boolean {
  const lines = new Set(words.map(({ line }) => line)).size;
  const withDigit = words.filter(({ text }) => /\p{N}/u.test(text)).length;
  return words.length < MIN_WORDS_PER_LINE * lines || withDigit > MAX_DIGIT_SHARE * words.length;
}

/** Returns whether any two blocks of prose on a page are side by side. */
export function hasProseColumns(words: readonly TsvWord[]): boolean {
  const blocks = [...Map.groupBy(words, ({ block }) => block).values()].filter(isProseBlock).map(computeBoundingBox);
  return blocks.some((one) =>
    blocks.some(
      (other) => one.right <= other.left && Math.min(one.bottom, other.bottom) > Math.max(one.top, other.top),
    ),
  );
}

/**
 * Measures the amount of recognized text: the number of characters of each word times its confidence, summed over all
 * words.
 */
export function measureRecognizedText(words: readonly TsvWord[]): number {
  return words.reduce((sum, { text, confidence }) => sum + text.length * confidence, 0);
}

function isProseBlock(words: readonly TsvWord[]): boolean {
  const lines = new Set(words.map(({ line }) => line)).size;
  const withoutDigit = words.filter(({ text }) => /^\P{N}+$/u.test(text) && /\p{L}/u.test(text)).length;
  return lines >= MIN_PROSE_LINES && withoutDigit >= MIN_PROSE_WORDS * lines;
}

function computeBoundingBox(words: readonly TsvWord[]) {
  return {
    left: Math.min(...words.map(({ left }) => left)),
    right: Math.max(...words.map(({ left, width }) => left + width)),
    top: Math.min(...words.map(({ top }) => top)),
    bottom: Math.max(...words.map(({ top, height }) => top + height)),
  };
}
