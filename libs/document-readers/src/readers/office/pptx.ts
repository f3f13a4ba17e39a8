import { ReadingFailed, type Reader } from '../reader.js';
import { mainPart, openPackage, relationshipId } from './package-parts.js';
import { blocksOfSlide } from './slide-blocks.js';
import { commentAuthors } from './slide-comments.js';
import { roleOf, shapesOf, wordsOf } from './slide-shapes.js';
import { descendants, firstBelow, type XmlElement } from './xml.js';

const FOOTERS = new Set(['dt', 'ftr', 'hdr']);

/** Presentations: each slide is a page. Source: ECMA-376, part 1, section 19. */
// eslint-disable-next-line @typescript-eslint/require-await -- a reader's shape; this one has nothing to wait for
export const readPptx: Reader = async function* (bytes, onProgress) {
  const parts = openPackage(bytes);
  const main = mainPart(parts, 'ppt/presentation.xml');
  const presentation = parts.read(main);
  if (presentation === undefined) {
    throw new ReadingFailed('file_unreadable', `The presentation is damaged: it has no ${main}.`);
  }
  const related = parts.relatedTo(main);
  const authors = commentAuthors(parts, main);
  const slides = [...descendants(presentation, 'sldId')].flatMap(
    (slide) => related.get(relationshipId(slide.attributes))?.name ?? [],
  );
  /** Once, though most slides have the same. */
  const footers = new Set<string>();
  for (const [index, name] of slides.entries()) {
    const content = parts.read(name);
    if (content !== undefined) {
      yield* blocksOfSlide({ parts, name, content, authors }, index + 1);
      for (const footer of footersOf(content)) footers.add(footer);
    }
    onProgress({ done: index + 1, total: slides.length, unit: 'slides' });
  }
  if (footers.size > 0) {
    yield { kind: 'text', text: [...footers].join('\n'), headingPath: [], page: null, location: 'slide footer' };
  }
};

/** What stands at a slide's foot; not what a program writes there, such as the date of today. */
function footersOf(slide: XmlElement): readonly string[] {
  return [...shapesOf(slide)]
    .filter((shape) => FOOTERS.has(roleOf(shape)) && firstBelow(shape, 'fld') === undefined)
    .map(wordsOf)
    .filter((text) => text !== '');
}
