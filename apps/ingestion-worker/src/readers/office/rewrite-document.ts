import { strToU8, zipSync } from 'fflate';
import { SaxesParser } from 'saxes';
import { mathText } from './math-text.js';
import { relationshipsOf, type PackageParts } from './package-parts.js';
import { numberingWithoutLooks, stylesWithoutLooks, textWithoutLooks } from './word-looks.js';
import { usedStyles } from './used-styles.js';
import { chartMarkup, run } from './word-markup.js';
import { referenceOf, WordNumbering } from './word-numbering.js';
import { child, parseXml } from './xml.js';

/** No list has the number 0. Source: ECMA-376, part 1, section 17.9.18. */
const NO_LIST = '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="0"/></w:numPr>';

interface Edit {
  readonly at: number;
  readonly until: number;
  readonly text: string;
}

/** The types of the parts that mammoth reads beside the text, each called so where no relationship says otherwise. */
const READ_WITH_TEXT = ['comments', 'endnotes', 'footnotes', 'numbering', 'styles'];

/**
 * A Word document for mammoth: with what it would not read written into its text, the numbers of headings and clauses, so that
 * `4.2` can be found and quoted, formulas, and the values of charts; and without what it would read for nothing, most of which
 * is looks. Plain lists keep their numbers for mammoth to write.
 *
 * @param bytes the document @param name of its main part
 */
export function rewriteDocument(bytes: Uint8Array, parts: PackageParts, name: string): Uint8Array {
  const written = parts.text(name);
  if (written === undefined) return bytes;
  const slim = new Map(slimParts(parts, name));
  const text = textWithoutLooks(written);
  const edits = editsOf(text, numberingOf(parts, name, slim), (id) => chartMarkup(parts, name, id));
  const all = new Map([...neededParts(parts, name), ...slim, [name, applied(text, edits)]]);
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
  for (const part of namesOf(parts, name, 'styles')) {
    yield [part, usedStyles(stylesWithoutLooks(parts.text(part) ?? ''), written)];
  }
  for (const part of namesOf(parts, name, 'numbering')) yield [part, numberingWithoutLooks(parts.text(part) ?? '')];
}

/** Those of one type that are there. */
function namesOf(parts: PackageParts, name: string, type: string): readonly string[] {
  const related = [...parts.relatedTo(name).values()].filter((part) => part.type === type);
  return related.map((part) => part.name).filter((part) => parts.text(part) !== undefined);
}

function numberingOf(parts: PackageParts, name: string, slim: ReadonlyMap<string, string>): WordNumbering | undefined {
  const [styles] = namesOf(parts, name, 'styles');
  const [numbering] = namesOf(parts, name, 'numbering');
  if (styles === undefined || numbering === undefined) return undefined;
  return new WordNumbering(parseXml(slim.get(styles) ?? ''), parseXml(slim.get(numbering) ?? ''));
}

/** An element that has begun. */
interface Open {
  readonly name: string;
  readonly start: number;
  /** Markup that goes behind it. */
  behind: string;
}

/** What is to be written where, from the start of the text to its end. */
function editsOf(text: string, numbering: WordNumbering | undefined, chart: (id: string) => string): readonly Edit[] {
  const edits: Edit[] = [];
  const open: Open[] = [];
  const parser = new SaxesParser();
  parser.on('opentag', ({ name, attributes }) => {
    const paragraph = name === 'c:chart' ? open.findLast((element) => element.name === 'w:p') : undefined;
    if (paragraph !== undefined) paragraph.behind += chart(attributes['r:id'] ?? '');
    open.push({ name, start: text.lastIndexOf('<', parser.position - 1), behind: '' });
  });
  parser.on('closetag', ({ name }) => {
    const { start = -1, behind = '' } = open.pop() ?? {};
    const until = parser.position;
    const source = (): string => text.slice(start, until);
    // Inside a tracked change there are the properties of before, too.
    if (name === 'w:pPr' && open.at(-1)?.name === 'w:p' && text.startsWith('<w:pPr', start)) {
      const numbered = numbering === undefined ? undefined : numberedProperties(source(), numbering);
      if (numbered !== undefined) edits.push({ at: start, until, text: numbered });
    } else if (isFormula(name, open)) edits.push({ at: start, until, text: formula(source()) });
    else if (behind !== '') edits.push({ at: until, until, text: behind });
  });
  parser.on('error', (error) => {
    throw error;
  });
  parser.write(text).close();
  return edits;
}

/** Formulas that stand by themselves are wrapped in a paragraph of formulas. */
function isFormula(name: string, open: readonly Open[]): boolean {
  if (name === 'm:oMathPara') return true;
  return name === 'm:oMath' && !open.some((element) => element.name === 'm:oMathPara');
}

function formula(source: string): string {
  const text = mathText(parseXml(source)).trim();
  return text === '' ? '' : run(` ${text} `);
}

function numberedProperties(source: string, numbering: WordNumbering): string | undefined {
  const properties = child(parseXml(source), 'pPr');
  const styleId = child(properties, 'pStyle')?.attributes['w:val'];
  const label = numbering.next(styleId, referenceOf(properties));
  if (label === undefined || !(label.isClause || numbering.isHeading(styleId))) return undefined;
  const withoutList = source.replace(/<w:numPr\b[^>]*?(?:\/>|>[\s\S]*?<\/w:numPr>)/, '');
  const end = withoutList.lastIndexOf('</w:pPr>');
  return `${withoutList.slice(0, end)}${NO_LIST}</w:pPr>${run(`${label.text} `)}`;
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
