import { withoutElements, type IsUnwanted } from './without-elements.js';

/*
 * Most of a Word document says how it looks, and none of that is read: styles alone are several times as long as many a text.
 * Source of the names: ECMA-376, part 1, section 17.
 */

const LOOKS_OF_STYLES = new Set(
  ['docDefaults', 'latentStyles', 'rPr', 'tblPr', 'tblStylePr', 'tcPr', 'trPr'].map(inWord),
);
const LOOKS_OF_LISTS = new Set(['lvlJc', 'pPr', 'rPr'].map(inWord));

/** Keeps what a style is called, what it is based on, and where it stands in lists and in the outline. */
export function stylesWithoutLooks(xml: string): string {
  return withoutElements(xml, (name) => LOOKS_OF_STYLES.has(name));
}

/** Keeps how paragraphs are counted. */
export function numberingWithoutLooks(xml: string): string {
  return withoutElements(xml, (name) => LOOKS_OF_LISTS.has(name));
}

/** Keeps the properties of paragraphs: one whose end was deleted goes on in the next. */
export function textWithoutLooks(xml: string): string {
  return withoutElements(xml, isLookOfRun);
}

const isLookOfRun: IsUnwanted = (name, parent) => name === 'w:rPr' && parent === 'w:r';

function inWord(name: string): string {
  return `w:${name}`;
}
