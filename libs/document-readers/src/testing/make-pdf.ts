/** Describes a text on a page. Coordinates are in points from the lower left corner. */
export interface DrawnText {
  readonly x: number;
  readonly y: number;
  readonly text: string;
  readonly size?: number;
  readonly bold?: boolean;
  /** Rotation of the text around its first character, in quarter turns, counterclockwise. */
  readonly rotation?: 0 | 1 | 2 | 3;
}

/** Lays out lines in one column. The first line is at the top. */
export function layOutInColumn(lines: readonly string[], { x = 72, top = 720, pitch = 14 } = {}): readonly DrawnText[] {
  return lines.map((text, index) => ({ x, y: top - index * pitch, text }));
}

export interface PdfOptions {
  readonly encrypted?: boolean;
  /** Content stream of each page. Replaces the text of the page. */
  readonly content?: string;
  /** Further entries of each page, such as `/Rotate 90`. */
  readonly pageEntries?: string;
  /** Entries of annotations on the first page, such as `/Subtype /Text /Contents (Really?) /Rect [72 700 92 720]`. */
  readonly annotations?: readonly string[];
}

/**
 * Creates a PDF with US letter pages and text in Helvetica. The file contains the texts of a page in the given order.
 * Source: ISO 32000-1, section 7.5.
 */
export function makePdf(
  pages: readonly (readonly DrawnText[])[],
  { encrypted = false, content, pageEntries = '', annotations = [] }: PdfOptions = {},
): Buffer {
  const annotationReferences = annotations.map((_, index) => `${5 + 2 * pages.length + index} 0 R`).join(' ');
  const objects: string[] = [
    `<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [${annotationReferences}] >> >>`,
    `<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((_, index) => `${5 + index * 2} 0 R`).join(' ')}] >>`,
    createFontObject('Helvetica'),
    createFontObject('Helvetica-Bold'),
    ...pages.flatMap((page, index) => [
      createPageObject(6 + index * 2, index === 0 ? annotationReferences : '', pageEntries),
      content ?? createStreamObject(page.map(formatTextOperators).join('\n')),
    ]),
    ...annotations.map((entries) => `<< /Type /Annot ${entries} >>`),
  ];
  return writePdfObjects(objects, encrypted ? ENCRYPTION : '');
}

/**
 * Writes a PDF file from its objects. The first object is the catalog. @param trailer additional entries of the trailer
 */
export function writePdfObjects(objects: readonly string[], trailer = ''): Buffer {
  let file = '%PDF-1.7\n';
  const offsets = objects.map((object, index) => {
    const offset = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const entries = `/Size ${objects.length + 1} /Root 1 0 R ${trailer}`;
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n<< ${entries} >>\nstartxref\n${file.indexOf('xref\n')}\n%%EOF\n`;
  return Buffer.from(file, 'latin1');
}

/** Trailer entries of an encrypted PDF that no password opens, because its check value (`/U`) is arbitrary. */
const ENCRYPTION = `/ID [<00><00>] /Encrypt << /Filter /Standard /V 2 /R 3 /Length 128 /P -4 /O <${'11'.repeat(32)}> /U <${'22'.repeat(32)}> >>`;

function createFontObject(name: string): string {
  return `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`;
}

function createPageObject(contentNumber: number, annotations: string, moreEntries: string): string {
  const resources = '<< /Font << /F1 3 0 R /F2 4 0 R >> >>';
  return `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources ${resources} /Contents ${contentNumber} 0 R /Annots [${annotations}] ${moreEntries} >>`;
}

/**
 * Builds a stream object. @param content stored bytes in Latin-1 @param entries additional entries, such as `/Filter
 * /FlateDecode`
 */
export function createStreamObject(content: string, entries = ''): string {
  return `<< /Length ${content.length} ${entries} >>\nstream\n${content}\nendstream`;
}

const ROTATIONS = ['1 0 0 1', '0 1 -1 0', '-1 0 0 -1', '0 -1 1 0'];

function formatTextOperators({ x, y, text, size = 11, bold = false, rotation = 0 }: DrawnText): string {
  return `BT /F${bold ? 2 : 1} ${size} Tf ${ROTATIONS[rotation] ?? ''} ${x} ${y} Tm (${text.replace(/[\\()]/g, '\\$&')}) Tj ET`;
}
