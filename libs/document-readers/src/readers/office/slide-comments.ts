import { paragraphsOf, type DrawnParagraph } from './drawing-text.js';
import { relatedParts, type PackageParts } from './package-parts.js';
import { child, descendants, type XmlElement } from './xml.js';

/** What reviewers wrote about a slide, and who, in either form. Source: ECMA-376, part 1, section 19.4; [MS-PPTX], section 2.6. */
export function slideComments(
  parts: PackageParts,
  slide: string,
  authors: ReadonlyMap<string, string>,
): readonly DrawnParagraph[] {
  const comments = relatedParts(parts, slide, 'comments').flatMap(({ content }) => [
    ...descendants(content, 'cm'),
    ...descendants(content, 'reply'),
  ]);
  return comments.flatMap((comment) => {
    const author = authors.get(comment.attributes['authorId'] ?? '');
    const text = textOf(comment);
    const by = author === undefined ? '' : ` by ${author}`;
    return text === '' ? [] : [{ text: `Comment${by}: ${text}`, level: 0, mark: 'none' as const }];
  });
}

function textOf(comment: XmlElement): string {
  const body = child(comment, 'txBody');
  if (body === undefined) return child(comment, 'text')?.text.trim() ?? '';
  return paragraphsOf(body)
    .map((paragraph) => paragraph.text)
    .join(' ');
}

/** The names of those who wrote comments, by the ids that comments know them by. @param presentation the main part */
export function commentAuthors(parts: PackageParts, presentation: string): ReadonlyMap<string, string> {
  const lists = [
    ...relatedParts(parts, presentation, 'commentAuthors'),
    ...relatedParts(parts, presentation, 'authors'),
  ].flatMap(({ content }) => [...descendants(content, 'cmAuthor'), ...descendants(content, 'author')]);
  return new Map(lists.map(({ attributes }) => [attributes['id'] ?? '', attributes['name'] ?? '']));
}
