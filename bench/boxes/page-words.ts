import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Describes a word on a page. Its edges are shares of the page's width and height, from the upper left corner. */
export interface PageWord {
  readonly text: string;
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  /** True for the last word of a line. */
  readonly endsLine: boolean;
}

const MAX_OUTPUT_BYTES = 256 * 1_048_576;

/**
 * Reads the words of each page of a PDF with poppler.
 *
 * @throws Error if `pdftotext` is not installed or cannot read the file
 */
export async function readPageWords(path: string): Promise<readonly (readonly PageWord[])[]> {
  const { stdout } = await promisify(execFile)('pdftotext', ['-bbox-layout', '-cropbox', path, '-'], {
    maxBuffer: MAX_OUTPUT_BYTES,
  });
  return parseBoundingBoxes(stdout);
}

const PAGE = /<page width="([\d.]+)" height="([\d.]+)">(.*?)<\/page>/gs;
const LINE = /<line [^>]*>(.*?)<\/line>/gs;
const WORD = /<word xMin="([-\d.]+)" yMin="([-\d.]+)" xMax="([-\d.]+)" yMax="([-\d.]+)">(.*?)<\/word>/gs;

/** Parses the output of `pdftotext -bbox-layout`. Returns the words of each page, in the order of the output. */
export function parseBoundingBoxes(output: string): readonly (readonly PageWord[])[] {
  return Array.from(output.matchAll(PAGE), ([, width, height, content = '']) =>
    Array.from(content.matchAll(LINE), ([, line = '']) => parseWords(line, Number(width), Number(height))).flat(),
  );
}

function parseWords(line: string, width: number, height: number): readonly PageWord[] {
  const words = Array.from(line.matchAll(WORD), ([, left, top, right, bottom, text = '']) => ({
    text: convertToLogicalOrder(decodeEntities(text)),
    left: Number(left) / width,
    top: Number(top) / height,
    right: Number(right) / width,
    bottom: Number(bottom) / height,
  }));
  return words.map((word, index) => ({ ...word, endsLine: index === words.length - 1 }));
}

function decodeEntities(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
}

/** Returns a word in logical order. Poppler writes the letters of right-to-left words from left to right. */
function convertToLogicalOrder(word: string): string {
  return /[\p{Script=Arabic}\p{Script=Hebrew}]/u.test(word) ? Array.from(word).reverse().join('') : word;
}
