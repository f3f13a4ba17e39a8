import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { SaxesParser } from 'saxes';
import { TEXT_PART } from './open-archive.js';
import { referenceOf, WordNumbering } from './word-numbering.js';
import { child, parseXml, type XmlElement } from './xml.js';

const DOCUMENT = 'word/document.xml';
const STYLES = 'word/styles.xml';
const NUMBERING = 'word/numbering.xml';
/** No list has the number 0. Source: ECMA-376, part 1, section 17.9.18. */
const NO_LIST = '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="0"/></w:numPr>';

interface Edit {
  readonly at: number;
  readonly until: number;
  readonly text: string;
}

/**
 * Writes the numbers of headings and clauses into their text, so that `4.2` can be found and quoted. Plain lists keep theirs
 * for mammoth to write.
 *
 * @param bytes a Word document
 * @returns the document with the numbers, or as it was where it has none
 */
export function writeNumbers(bytes: Uint8Array): Uint8Array {
  // Pictures are not read, so they need not be unpacked and packed again.
  const parts = unzipSync(bytes, { filter: ({ name }) => TEXT_PART.test(name) });
  const { [DOCUMENT]: document, [STYLES]: styles, [NUMBERING]: numbering } = parts;
  if (document === undefined || styles === undefined || numbering === undefined) return bytes;
  const text = strFromU8(document);
  const edits = editsOf(text, new WordNumbering(parseXml(strFromU8(styles)), parseXml(strFromU8(numbering))));
  if (edits.length === 0) return bytes;
  return zipSync({ ...parts, [DOCUMENT]: strToU8(applied(text, edits)) }, { level: 0 });
}

/** What is to be written where: behind the properties of each numbered heading and clause. */
function editsOf(text: string, numbering: WordNumbering): readonly Edit[] {
  const edits: Edit[] = [];
  const open: { readonly name: string; readonly start: number }[] = [];
  const parser = new SaxesParser();
  parser.on('opentag', ({ name }) => {
    open.push({ name, start: text.lastIndexOf('<', parser.position - 1) });
  });
  parser.on('closetag', ({ name }) => {
    const start = open.pop()?.start ?? -1;
    // Inside a tracked change there are the properties of before, too.
    if (name !== 'w:pPr' || open.at(-1)?.name !== 'w:p' || !text.startsWith('<w:pPr', start)) return;
    const source = text.slice(start, parser.position);
    const properties = child(parseXml(source), 'pPr');
    const numbered = numberedProperties(properties, source, numbering);
    if (numbered !== undefined) edits.push({ at: start, until: parser.position, text: numbered });
  });
  parser.on('error', (error) => {
    throw error;
  });
  parser.write(text).close();
  return edits;
}

function numberedProperties(
  properties: XmlElement | undefined,
  source: string,
  numbering: WordNumbering,
): string | undefined {
  const styleId = child(properties, 'pStyle')?.attributes['w:val'];
  const label = numbering.next(styleId, referenceOf(properties));
  if (label === undefined || !(label.isClause || numbering.isHeading(styleId))) return undefined;
  const withoutList = source.replace(/<w:numPr\b[^>]*?(?:\/>|>[\s\S]*?<\/w:numPr>)/, '');
  const end = withoutList.lastIndexOf('</w:pPr>');
  return `${withoutList.slice(0, end)}${NO_LIST}</w:pPr><w:r><w:t xml:space="preserve">${escaped(label.text)} </w:t></w:r>`;
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

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
