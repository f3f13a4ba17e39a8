import { readDrawingParagraphs, type DrawingParagraph } from './drawing-text.js';
import { readRelatedParts, type PackageParts } from './package-parts.js';
import { findChild, findDescendants, type XmlElement } from './xml.js';

/**
 * Reads the comments on a slide with their authors, in the legacy and the modern format. Source: ECMA-376, part 1, section 19.4;
 * [MS-PPTX], section 2.6.
 */
export function readSlideComments(
  parts: PackageParts,
  slide: string,
  authors: ReadonlyMap<string, string>,
): readonly DrawingParagraph[] {
  const comments = readRelatedParts(parts, slide, 'comments').flatMap(({ content }) => [
    ...findDescendants(content, 'cm'),
    ...findDescendants(content, 'reply'),
  ]);
  return comments.flatMap((comment) => {
    const author = authors.get(comment.attributes['authorId'] ?? '');
    const text = getCommentText(comment);
    const by = author === undefined ? '' : ` by ${author}`;
    return text === '' ? [] : [{ text: `Comment${by}: ${text}`, level: 0, marker: 'none' as const }];
  });
}

function getCommentText(comment: XmlElement): string {
  const body = findChild(comment, 'txBody');
  if (body === undefined) return findChild(comment, 'text')?.text.trim() ?? '';
  return readDrawingParagraphs(body)
    .map((paragraph) => paragraph.text)
    .join(' ');
}

/** Maps the ids of comment authors to their names. @param presentation name of the main part */
export function readCommentAuthors(parts: PackageParts, presentation: string): ReadonlyMap<string, string> {
  const lists = [
    ...readRelatedParts(parts, presentation, 'commentAuthors'),
    ...readRelatedParts(parts, presentation, 'authors'),
  ].flatMap(({ content }) => [...findDescendants(content, 'cmAuthor'), ...findDescendants(content, 'author')]);
  return new Map(lists.map(({ attributes }) => [attributes['id'] ?? '', attributes['name'] ?? '']));
}
