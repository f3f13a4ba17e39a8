import { removeElements, type ElementPredicate } from './remove-elements.js';

/*
 * Most of a Word document is formatting, which is not read. Removing it saves most of the parsing time.
 * Source of the names: ECMA-376, part 1, section 17.
 */

const STYLE_FORMATTING = new Set(
  ['docDefaults', 'latentStyles', 'rPr', 'tblPr', 'tblStylePr', 'tcPr', 'trPr'].map(addWordPrefix),
);
const LIST_FORMATTING = new Set(['lvlJc', 'pPr', 'rPr'].map(addWordPrefix));

/** Removes formatting from the XML of styles. Keeps the names, base styles, lists and outline levels of the styles. */
export function removeStyleFormatting(xml: string): string {
  return removeElements(xml, (name) => STYLE_FORMATTING.has(name));
}

/**
 * Removes formatting from the XML of list definitions. Keeps the properties that determine the numbers of paragraphs.
 */
export function removeNumberingFormatting(xml: string): string {
  return removeElements(xml, (name) => LIST_FORMATTING.has(name));
}

/**
 * Removes formatting from the runs of a Word document. Keeps `w:rPr` in paragraph properties, because it states whether
 * a tracked change deleted the end of the paragraph. A paragraph with a deleted end continues in the next paragraph.
 */
export function removeRunFormatting(xml: string): string {
  return removeElements(xml, isRunFormatting);
}

const isRunFormatting: ElementPredicate = (name, parent) => name === 'w:rPr' && parent === 'w:r';

function addWordPrefix(name: string): string {
  return `w:${name}`;
}
