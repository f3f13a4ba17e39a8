import { readDrawingParagraphs, type DrawingParagraph } from './drawing-text.js';
import type { PackageParts } from './package-parts.js';
import { findDescendants } from './xml.js';

/**
 * Reads the texts of a diagram in the order of its data model. Source: ECMA-376, part 1, section 21.4.
 *
 * @param part name of the part that displays the diagram
 * @param id id of the relationship to the data of the diagram
 */
export function readDiagram(parts: PackageParts, part: string, id: string): readonly DrawingParagraph[] {
  const data = parts.readXml(parts.getRelatedParts(part).get(id)?.name ?? '');
  return data === undefined ? [] : [...findDescendants(data, 't')].flatMap(readDrawingParagraphs);
}
