import { ReadingFailed, type Reader } from '../reader.js';
import { openPackage } from './package-parts.js';
import { blocksOfSlide } from './slide-blocks.js';
import { descendants } from './xml.js';

const PRESENTATION = 'ppt/presentation.xml';

/** Presentations: each slide is a page. Source: ECMA-376, part 1, section 19. */
// eslint-disable-next-line @typescript-eslint/require-await -- a reader's shape; this one has nothing to wait for
export const readPptx: Reader = async function* (bytes, onProgress) {
  const parts = openPackage(bytes);
  const presentation = parts.read(PRESENTATION);
  if (presentation === undefined) {
    throw new ReadingFailed('file_unreadable', `The presentation is damaged: it has no ${PRESENTATION}.`);
  }
  const related = parts.relatedTo(PRESENTATION);
  const slides = [...descendants(presentation, 'sldId')].flatMap(
    ({ attributes }) => related.get(attributes['r:id'] ?? '')?.name ?? [],
  );
  for (const [index, name] of slides.entries()) {
    yield* blocksOfSlide(parts, name, index + 1);
    onProgress({ done: index + 1, total: slides.length, unit: 'slides' });
  }
};
