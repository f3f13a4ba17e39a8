import type { Block } from '../block.js';
import type { Annotation } from './annotations.js';
import type { Glyph } from './glyphs.js';
import type { Page } from './pdfium.js';

/** Of the text that a comment is about. */
const MAX_QUOTE = 200;

/** What readers of a page have noted on it, each with the words that it marks, where it marks some. @param number of the page, from 1 */
export function* commentsOn(number: number, { glyphs, annotations }: Page): Generator<Block> {
  const told = annotations.filter(({ kind }) => kind === 'comment').map((comment) => toldOf(comment, glyphs));
  const text = [...new Set(told)].filter((line) => line !== '').join('\n');
  if (text !== '') yield { kind: 'text', text, headingPath: [], page: number, location: 'comments' };
}

function toldOf({ text, author, marked }: Annotation, glyphs: readonly Glyph[]): string {
  const comment = plain(text);
  const quote = plain(
    glyphs
      .filter((glyph) => marked.some((box) => isInside(glyph, box)))
      .map((glyph) => glyph.text)
      .join(''),
  );
  // Some programs note down what is marked, and no more.
  if (comment === quote) return '';
  const about = quote === '' ? '' : ` on “${quote.slice(0, MAX_QUOTE).toWellFormed()}”`;
  return `Comment${author === '' ? '' : ` by ${author}`}${about}: ${comment}`;
}

function isInside({ left, right, bottom, top }: Glyph, box: Annotation['box']): boolean {
  const [across, up] = [(left + right) / 2, (bottom + top) / 2];
  return across > box.left && across < box.right && up > box.bottom && up < box.top;
}

function plain(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
