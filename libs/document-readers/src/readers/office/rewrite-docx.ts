import { strToU8, zipSync } from 'fflate';
import { getRelationshipsPartName, type PackageParts } from './package-parts.js';
import { removeUnusedStyles } from './remove-unused-styles.js';
import { findWordEdits, type Edit, type WordContext } from './word-edits.js';
import { removeNumberingFormatting, removeStyleFormatting, removeRunFormatting } from './word-formatting.js';
import { buildDrawingMarkup } from './word-markup.js';
import { WordNumbering } from './word-numbering.js';
import { WordStyles } from './word-styles.js';
import { parseXml } from './xml.js';

const EMPTY_PART = '<nothing/>';
const STYLE_OF_LIST = /<w:numStyleLink\s[^<>]*?w:val="([^"]*)"[^<>]*\/>/g;
const NOTES = ['footnotes', 'endnotes'];
/**
 * Lists the relationship types of the parts that mammoth reads in addition to the main part. By default, such a part is
 * named `word/<type>.xml`.
 */
const ADDITIONAL_PART_TYPES = ['comments', 'endnotes', 'footnotes', 'numbering', 'styles'];

/**
 * Rewrites a Word document before the library mammoth reads it. Adds content that mammoth ignores: numbers as Word
 * displays them, headings of all kinds, formulas, fields, text boxes and chart values. Removes content that readers do
 * not need, mainly formatting.
 *
 * @param bytes the document
 * @param name name of the main part
 */
export function rewriteDocx(bytes: Uint8Array, parts: PackageParts, name: string): Uint8Array {
  if (parts.getText(name) === undefined) return bytes;
  const reduced = new Map(removeFormattingOfParts(parts, name));
  const [styles, numbering] = ['styles', 'numbering'].map((type) =>
    reduced.get(listRelatedPartNames(parts, name, type)[0] ?? ''),
  );
  const wordStyles = new WordStyles(parseXml(styles ?? EMPTY_PART));
  const context = {
    styles: wordStyles,
    numbering: numbering === undefined ? undefined : new WordNumbering(wordStyles, parseXml(numbering)),
  };
  const texts = [name, ...NOTES.flatMap((type) => listRelatedPartNames(parts, name, type))].map((part) => {
    const text = removeRunFormatting(parts.getText(part) ?? '');
    const renderDrawing: WordContext['renderDrawing'] = (element, attributes) =>
      buildDrawingMarkup(parts, part, element, attributes);
    return [part, applyTextEdits(text, findWordEdits(text, { ...context, renderDrawing }))] as const;
  });
  const all = new Map([...readPartsForMammoth(parts, name), ...reduced, ...texts]);
  return zipSync(Object.fromEntries([...all].map(([part, content]) => [part, strToU8(content)])), { level: 0 });
}

function* readPartsForMammoth(parts: PackageParts, name: string): Generator<readonly [string, string]> {
  const related = ADDITIONAL_PART_TYPES.flatMap((type) => [
    ...listRelatedPartNames(parts, name, type),
    `word/${type}.xml`,
  ]);
  const needed = [name, ...related].flatMap((part) => [part, getRelationshipsPartName(part)]);
  for (const part of ['[Content_Types].xml', getRelationshipsPartName(''), ...needed]) {
    const text = parts.getText(part);
    if (text !== undefined) yield [part, text];
  }
}

function* removeFormattingOfParts(parts: PackageParts, name: string): Generator<readonly [string, string]> {
  const otherParts = ADDITIONAL_PART_TYPES.filter((type) => type !== 'styles').flatMap((type) =>
    listRelatedPartNames(parts, name, type),
  );
  const written = [name, ...otherParts].map((part) => parts.getText(part) ?? '');
  const styles = listRelatedPartNames(parts, name, 'styles').map(
    (part) => [part, removeUnusedStyles(removeStyleFormatting(parts.getText(part) ?? ''), written)] as const,
  );
  yield* styles;
  const isNeededStyle = (id: string): boolean => styles.some(([, text]) => text.includes(`w:styleId="${id}"`));
  for (const part of listRelatedPartNames(parts, name, 'numbering')) {
    const numbering = removeNumberingFormatting(parts.getText(part) ?? '');
    // Removes references from lists to removed styles, because mammoth fails on a reference to a missing style.
    yield [part, numbering.replace(STYLE_OF_LIST, (link, id: string) => (isNeededStyle(id) ? link : ''))];
  }
}

/** Returns the names of the existing parts to which the part `name` has a relationship of type `type`. */
function listRelatedPartNames(parts: PackageParts, name: string, type: string): readonly string[] {
  const related = [...parts.getRelatedParts(name).values()].filter((part) => part.type === type);
  return related.map((part) => part.name).filter((part) => parts.getText(part) !== undefined);
}

function applyTextEdits(text: string, edits: readonly Edit[]): string {
  const pieces: string[] = [];
  let from = 0;
  for (const edit of edits) {
    pieces.push(text.slice(from, edit.at), edit.text);
    from = edit.until;
  }
  return [...pieces, text.slice(from)].join('');
}
