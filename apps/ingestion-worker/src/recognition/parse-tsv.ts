import type { RecognizedWord } from '@quarry/document-readers';

export interface TsvWord extends RecognizedWord {
  /** Identifies the block of the page layout, such as a column, that contains the word. */
  readonly block: string;
}

/** Holds the words of an image that have a sufficient confidence. */
export interface ParsedTsv {
  readonly words: readonly TsvWord[];
  /** Number of words that contain a letter or digit, but were omitted because of their low confidence. */
  readonly uncertain: number;
}

/** Value of the column `level` in rows of words. Rows with lower levels are pages, blocks, paragraphs and lines. */
const WORD = '5';
/**
 * Minimum confidence of a word, from 0 to 100. A less certain word is accepted in a line with a high mean confidence.
 * This exception does not apply to the false words that Tesseract finds in pictures: all words in lines of false words
 * have a low confidence.
 */
const MIN_CONFIDENCE = 20;
const MIN_LINE_CONFIDENCE = 60;
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

/**
 * Parses Tesseract's TSV output. Its columns are level, page, block, paragraph, line, word, left, top, width, height,
 * confidence and text. Omits uncertain words, except in a line with a high mean confidence.
 */
export function parseTsv(output: string): ParsedTsv {
  const lines = parseTsvLines(output);
  const words = lines.flatMap((line) => {
    const mean = line.reduce((sum, { confidence }) => sum + confidence, 0) / line.length;
    const isLineCertain = mean >= MIN_LINE_CONFIDENCE;
    return line.filter((word) => word.confidence >= MIN_CONFIDENCE || (isLineCertain && hasLetterOrDigit(word)));
  });
  return { words, uncertain: countWordsWithLettersOrDigits(lines.flat()) - countWordsWithLettersOrDigits(words) };
}

function countWordsWithLettersOrDigits(words: readonly TsvWord[]): number {
  return words.filter(hasLetterOrDigit).length;
}

function hasLetterOrDigit({ text }: TsvWord): boolean {
  return LETTER_OR_DIGIT.test(text);
}

function parseTsvLines(output: string): readonly (readonly TsvWord[])[] {
  const lines: TsvWord[][] = [];
  let linePlace = '';
  for (const row of output.split('\n')) {
    const [level, page, block, paragraph, lineNumber, , left, top, width, height, confidence, ...rest] =
      row.split('\t');
    const text = rest.join('\t').trim();
    if (level !== WORD || text === '') continue;
    const place = [page, block, paragraph, lineNumber].join('.');
    if (place !== linePlace) lines.push([]);
    linePlace = place;
    lines.at(-1)?.push({
      ...{ text, line: lines.length, block: [page, block].join('.'), confidence: Number(confidence) },
      ...{ left: Number(left), top: Number(top), width: Number(width), height: Number(height) },
    });
  }
  return lines;
}
