import { strToU8, zipSync } from 'fflate';

const WORD = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const RELATIONSHIPS = 'http://schemas.openxmlformats.org/package/2006/relationships';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';

/** Parts of an office file, by name. */
export function archive(parts: Readonly<Record<string, string>>): Uint8Array {
  return zipSync(Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, strToU8(XML + text)])));
}

/** Says in an archive's directory that a part has so many bytes unpacked. Source of the form: APPNOTE.TXT 6.3.10, section 4.3.12. */
export function declareSize(archived: Uint8Array, name: string, size: number): Uint8Array {
  const bytes = Buffer.from(archived);
  const directoryEntry = bytes.lastIndexOf(name) - 46;
  bytes.writeUInt32LE(size, directoryEntry + 24);
  return bytes;
}

/** Relationships of a part: ids to a type's last word and a target. Source of the form: ECMA-376, part 2, section 9.3. */
export function relationships(targets: Readonly<Record<string, readonly [type: string, target: string]>>): string {
  const all = Object.entries(targets).map(
    ([id, [type, target]]) => `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`,
  );
  return `<Relationships xmlns="${RELATIONSHIPS}">${all.join('')}</Relationships>`;
}

/** @param body WordprocessingML inside `w:body` */
export function makeDocx(body: string): Uint8Array {
  const styles = ['Title', 'heading 1', 'heading 2'].map(
    (name) => `<w:style w:type="paragraph" w:styleId="${styleId(name)}"><w:name w:val="${name}"/></w:style>`,
  );
  return archive({
    '[Content_Types].xml':
      '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
    '_rels/.rels': relationships({ r1: ['officeDocument', 'word/document.xml'] }),
    'word/_rels/document.xml.rels': relationships({ r1: ['styles', 'styles.xml'] }),
    'word/styles.xml': `<w:styles ${WORD}>${styles.join('')}</w:styles>`,
    'word/document.xml': `<w:document ${WORD}><w:body>${body}</w:body></w:document>`,
  });
}

export function paragraph(text: string, style?: string): string {
  const properties = style === undefined ? '' : `<w:pPr><w:pStyle w:val="${styleId(style)}"/></w:pPr>`;
  return `<w:p>${properties}<w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;
}

export function wordTable(rows: readonly (readonly string[])[]): string {
  const cells = (row: readonly string[]): string => row.map((text) => `<w:tc>${paragraph(text)}</w:tc>`).join('');
  return `<w:tbl>${rows.map((row) => `<w:tr>${cells(row)}</w:tr>`).join('')}</w:tbl>`;
}

function styleId(name: string): string {
  return name.replace(/\s/g, '');
}
