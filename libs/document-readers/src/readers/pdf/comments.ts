import type { Block } from '../block.js';
import type { Annotation } from './annotations.js';
import type { Glyph } from './glyphs.js';
import type { Page } from './pdfium.js';

/** Maximum number of characters that are quoted from the text that a comment marks. */
const MAX_QUOTE_CHARACTERS = 200;

/**
 * Yields the comments on a page as one block. Each comment quotes the words that it marks. @param pageNumber number of
 * the page, from 1
 */
export function* createCommentBlock(pageNumber: number, { glyphs, annotations }: Page): Generator<Block> {
  const comments = annotations
    .filter(({ kind }) => kind === 'comment')
    .map((comment) => formatComment(comment, glyphs));
  const text = [...new Set(comments)].filter((line) => line !== '').join('\n');
  if (text !== '') yield { kind: 'text', text, headingPath: [], page: pageNumber, location: 'comments' };
}

function formatComment({ text, author, markedRectangles }: Annotation, glyphs: readonly Glyph[]): string {
  const comment = collapseSpaces(text);
  const quote = collapseSpaces(
    glyphs
      .filter((glyph) => markedRectangles.some((rectangle) => isInsideRectangle(glyph, rectangle)))
      .map((glyph) => glyph.text)
      .join(''),
  );
  // Some programs copy the marked text into the comment.
  if (comment === quote) return '';
  const quoted = quote === '' ? '' : ` on “${quote.slice(0, MAX_QUOTE_CHARACTERS).toWellFormed()}”`;
  return `Comment${author === '' ? '' : ` by ${author}`}${quoted}: ${comment}`;
}

function isInsideRectangle({ left, right, bottom, top }: Glyph, rectangle: Annotation['rectangle']): boolean {
  const [x, y] = [(left + right) / 2, (bottom + top) / 2];
  return x > rectangle.left && x < rectangle.right && y > rectangle.bottom && y < rectangle.top;
}

function collapseSpaces(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
