import { paragraphsOf, type DrawnParagraph } from './drawing-text.js';
import type { PackageParts } from './package-parts.js';
import { descendants } from './xml.js';

/**
 * What the boxes of a diagram say, in the order of its list. Source: ECMA-376, part 1, section 21.4.
 *
 * @param part that shows it @param id by which that part knows the diagram's data
 */
export function diagramParagraphs(parts: PackageParts, part: string, id: string): readonly DrawnParagraph[] {
  const data = parts.read(parts.relatedTo(part).get(id)?.name ?? '');
  return data === undefined ? [] : [...descendants(data, 't')].flatMap(paragraphsOf);
}
