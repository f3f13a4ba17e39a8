import { strToU8, zipSync } from 'fflate';
import { relationshipsOf, type PackageParts } from './package-parts.js';
import { usedStyles } from './used-styles.js';
import { wordEdits, type Edit, type WordContext } from './word-edits.js';
import { numberingWithoutLooks, stylesWithoutLooks, textWithoutLooks } from './word-looks.js';
import { drawnMarkup } from './word-markup.js';
import { WordNumbering } from './word-numbering.js';
import { WordStyles } from './word-styles.js';
import { parseXml } from './xml.js';

const NOTHING = '<nothing/>';
const STYLE_OF_LIST = /<w:numStyleLink\s[^<>]*?w:val="([^"]*)"[^<>]*\/>/g;
const NOTES = ['footnotes', 'endnotes'];
/** The types of the parts that mammoth reads beside the text, each called so where no relationship says otherwise. */
const READ_WITH_TEXT = ['comments', 'endnotes', 'footnotes', 'numbering', 'styles'];

/**
 * A Word document for mammoth: with what it would not read written into its text, so that it can be found and quoted: numbers as
 * Word counts them, headings by whatever makes them one, formulas, fields, text boxes, and the values of charts; and without what
 * it would read for nothing, most of which is looks.
 *
 * @param bytes the document @param name of its main part
 */
export function rewriteDocument(bytes: Uint8Array, parts: PackageParts, name: string): Uint8Array {
  if (parts.text(name) === undefined) return bytes;
  const slim = new Map(slimParts(parts, name));
  const [styles, numbering] = ['styles', 'numbering'].map((type) => slim.get(namesOf(parts, name, type)[0] ?? ''));
  const wordStyles = new WordStyles(parseXml(styles ?? NOTHING));
  const context = {
    styles: wordStyles,
    numbering: numbering === undefined ? undefined : new WordNumbering(wordStyles, parseXml(numbering)),
  };
  const texts = [name, ...NOTES.flatMap((type) => namesOf(parts, name, type))].map((part) => {
    const text = textWithoutLooks(parts.text(part) ?? '');
    const drawn: WordContext['drawn'] = (element, attributes) => drawnMarkup(parts, part, element, attributes);
    return [part, applied(text, wordEdits(text, { ...context, drawn }))] as const;
  });
  const all = new Map([...neededParts(parts, name), ...slim, ...texts]);
  return zipSync(Object.fromEntries([...all].map(([part, content]) => [part, strToU8(content)])), { level: 0 });
}

function* neededParts(parts: PackageParts, name: string): Generator<readonly [string, string]> {
  const related = READ_WITH_TEXT.flatMap((type) => [...namesOf(parts, name, type), `word/${type}.xml`]);
  const needed = [name, ...related].flatMap((part) => [part, relationshipsOf(part)]);
  for (const part of ['[Content_Types].xml', relationshipsOf(''), ...needed]) {
    const text = parts.text(part);
    if (text !== undefined) yield [part, text];
  }
}

function* slimParts(parts: PackageParts, name: string): Generator<readonly [string, string]> {
  const beside = READ_WITH_TEXT.filter((type) => type !== 'styles').flatMap((type) => namesOf(parts, name, type));
  const written = [name, ...beside].map((part) => parts.text(part) ?? '');
  const styles = namesOf(parts, name, 'styles').map(
    (part) => [part, usedStyles(stylesWithoutLooks(parts.text(part) ?? ''), written)] as const,
  );
  yield* styles;
  const isStyle = (id: string): boolean => styles.some(([, text]) => text.includes(`w:styleId="${id}"`));
  for (const part of namesOf(parts, name, 'numbering')) {
    const numbering = numberingWithoutLooks(parts.text(part) ?? '');
    // Mammoth fails on a list that refers to a style which is not there.
    yield [part, numbering.replace(STYLE_OF_LIST, (link, id: string) => (isStyle(id) ? link : ''))];
  }
}

/** Those of one type that are there. */
function namesOf(parts: PackageParts, name: string, type: string): readonly string[] {
  const related = [...parts.relatedTo(name).values()].filter((part) => part.type === type);
  return related.map((part) => part.name).filter((part) => parts.text(part) !== undefined);
}

function applied(text: string, edits: readonly Edit[]): string {
  const pieces: string[] = [];
  let from = 0;
  for (const edit of edits) {
    pieces.push(text.slice(from, edit.at), edit.text);
    from = edit.until;
  }
  return [...pieces, text.slice(from)].join('');
}
