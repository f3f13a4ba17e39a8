import { ReadingFailed, type Reader } from '../reader.js';
import { findMainPart, openPackage, getRelationshipId } from './package-parts.js';
import { readSlideBlocks } from './slide-blocks.js';
import { readCommentAuthors } from './slide-comments.js';
import { findShapes, getPlaceholderType, getShapeText } from './slide-shapes.js';
import { findDescendants, findDescendant, type XmlElement } from './xml.js';

const FOOTERS = new Set(['dt', 'ftr', 'hdr']);

/** Reads presentations. Each slide is a page. Source: ECMA-376, part 1, section 19. */
// eslint-disable-next-line @typescript-eslint/require-await -- the type Reader requires it
export const readPptx: Reader = async function* (bytes, reports) {
  const parts = openPackage(bytes);
  const main = findMainPart(parts, 'ppt/presentation.xml');
  const presentation = parts.readXml(main);
  if (presentation === undefined) {
    throw new ReadingFailed('file_unreadable', `The presentation is damaged: it has no ${main}.`);
  }
  const related = parts.getRelatedParts(main);
  const authors = readCommentAuthors(parts, main);
  const slides = [...findDescendants(presentation, 'sldId')].flatMap(
    (slide) => related.get(getRelationshipId(slide.attributes))?.name ?? [],
  );
  /** Distinct footers of the slides that were read so far. Most slides repeat the same footers. */
  const footers = new Set<string>();
  for (const [index, name] of slides.entries()) {
    const content = parts.readXml(name);
    if (content !== undefined) {
      yield* readSlideBlocks({ parts, name, content, authors }, index + 1);
      for (const footer of findFooterTexts(content)) footers.add(footer);
    }
    reports.onProgress({ done: index + 1, total: slides.length, unit: 'slides' });
  }
  if (footers.size > 0) {
    yield { kind: 'text', text: [...footers].join('\n'), headingPath: [], page: null, location: 'slide footer' };
  }
};

/** Returns the footers of a slide, except generated fields such as the current date. */
function findFooterTexts(slide: XmlElement): readonly string[] {
  return [...findShapes(slide)]
    .filter((shape) => FOOTERS.has(getPlaceholderType(shape)) && findDescendant(shape, 'fld') === undefined)
    .map(getShapeText)
    .filter((text) => text !== '');
}
