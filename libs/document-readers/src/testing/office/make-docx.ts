import { createArchive, OFFICE, createRelationships, type MadePart } from './package.js';
import { CHART } from './make-chart.js';

const WORD = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const MATH = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"';

/**
 * Creates a Word document. @param body WordprocessingML inside `w:body` @param numbering WordprocessingML inside
 * `w:numbering` @param ownStyles WordprocessingML to add inside `w:styles`
 */
export function makeDocx(body: string, numbering = '', more: readonly MadePart[] = [], ownStyles = ''): Uint8Array {
  const styles = ['Title', 'heading 1', 'heading 2'].map(
    (name) => `<w:style w:type="paragraph" w:styleId="${createStyleId(name)}"><w:name w:val="${name}"/></w:style>`,
  );
  return createArchive({
    '[Content_Types].xml':
      '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
    '_rels/.rels': createRelationships({ r1: ['officeDocument', 'word/document.xml'] }),
    'word/_rels/document.xml.rels': createRelationships({
      r1: ['styles', 'styles.xml'],
      r2: ['numbering', 'numbering.xml'],
      ...Object.fromEntries(more.map(({ id, type, file }) => [id, [type, file]] as const)),
    }),
    ...Object.fromEntries(more.map(({ file, xml }) => [`word/${file}`, xml])),
    'word/styles.xml': `<w:styles ${WORD}>${styles.join('')}${ownStyles}</w:styles>`,
    'word/numbering.xml': `<w:numbering ${WORD}>${numbering}</w:numbering>`,
    'word/document.xml': `<w:document ${WORD} ${MATH} ${CHART}><w:body>${body}</w:body></w:document>`,
  });
}

/** Writes a paragraph in WordprocessingML. @param list number of the list, and level of the paragraph in the list */
export function createParagraph(text: string, style?: string, list?: readonly [numId: number, level: number]): string {
  const styled = style === undefined ? '' : `<w:pStyle w:val="${createStyleId(style)}"/>`;
  const listed =
    list === undefined ? '' : `<w:numPr><w:ilvl w:val="${list[1]}"/><w:numId w:val="${list[0]}"/></w:numPr>`;
  const properties = styled + listed === '' ? '' : `<w:pPr>${styled}${listed}</w:pPr>`;
  return `<w:p>${properties}<w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;
}

/** Builds a list of a Word document from the number format of each level and the text around the number. */
export function createList(id: number, levels: readonly (readonly [format: string, text: string])[]): string {
  const all = levels.map(
    ([format, text], level) =>
      `<w:lvl w:ilvl="${level}"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${text}"/></w:lvl>`,
  );
  const list = `<w:abstractNum w:abstractNumId="${id}">${all.join('')}</w:abstractNum>`;
  return `${list}<w:num w:numId="${id}"><w:abstractNumId w:val="${id}"/></w:num>`;
}

export function createTable(rows: readonly (readonly string[])[]): string {
  const createCells = (row: readonly string[]): string =>
    row.map((text) => `<w:tc>${createParagraph(text)}</w:tc>`).join('');
  return `<w:tbl>${rows.map((row) => `<w:tr>${createCells(row)}</w:tr>`).join('')}</w:tbl>`;
}

function createStyleId(name: string): string {
  return name.replace(/\s/g, '');
}

const NAMESPACES = `${WORD} xmlns:r="${OFFICE}"`;

/** Builds a header, footer, comments or notes part. */
export function createDocxPart(element: 'hdr' | 'ftr' | 'comments' | 'footnotes', content: string): string {
  return `<w:${element} ${NAMESPACES}>${content}</w:${element}>`;
}
