import { encodeWithCharset } from './encode-with-charset.js';
import { createStreamObject, writePdfObjects } from './make-pdf.js';

/** Describes a composite font that is not embedded in the PDF. Source: ISO 32000-1, section 9.7. */
export interface CjkFont {
  readonly name: string;
  /** Name of a predefined CMap, such as `90ms-RKSJ-H`. Names that end with `V` are for vertical text. */
  readonly cmap: string;
  /** Ordering of the character collection, such as `Japan1`. */
  readonly ordering: string;
  readonly encode: (text: string) => Uint8Array;
  /** Entries of the font that replace its `/Encoding`. Absent: `/Encoding` is `cmap`. */
  readonly entries?: string;
}

/** Lists fonts of the four character collections, with several encodings each. */
export const CJK_FONTS: readonly CjkFont[] = [
  {
    name: 'HeiseiMin-W3',
    cmap: '90ms-RKSJ-H',
    ordering: 'Japan1',
    encode: (text) => encodeWithCharset('shift_jis', text),
  },
  { name: 'HeiseiMin-W3', cmap: 'EUC-H', ordering: 'Japan1', encode: (text) => encodeWithCharset('euc-jp', text) },
  { name: 'HeiseiMin-W3', cmap: 'UniJIS-UTF16-H', ordering: 'Japan1', encode: encodeUtf16 },
  { name: 'HeiseiMin-W3', cmap: 'Identity-H', ordering: 'Japan1', encode: encodeHiraganaIds },
  { name: 'STSong-Light', cmap: 'GBK-EUC-H', ordering: 'GB1', encode: (text) => encodeWithCharset('gbk', text) },
  { name: 'STSong-Light', cmap: 'UniGB-UCS2-H', ordering: 'GB1', encode: encodeUtf16 },
  { name: 'MSung-Light', cmap: 'ETen-B5-H', ordering: 'CNS1', encode: (text) => encodeWithCharset('big5', text) },
  { name: 'MSung-Light', cmap: 'UniCNS-UTF16-H', ordering: 'CNS1', encode: encodeUtf16 },
  {
    name: 'HYSMyeongJo-Medium',
    cmap: 'KSCms-UHC-H',
    ordering: 'Korea1',
    encode: (text) => encodeWithCharset('euc-kr', text),
  },
  { name: 'HYSMyeongJo-Medium', cmap: 'UniKS-UCS2-H', ordering: 'Korea1', encode: encodeUtf16 },
];

const SIZE = 12;
const LINE_PITCH = 18;

/**
 * Creates a PDF of one page. Draws each part of a line as a separate text object, as some programs do for each
 * character.
 *
 * @param objects further objects of the PDF, which have numbers from 8 on
 */
export function makeCjkPdf(
  font: CjkFont,
  lines: readonly (readonly string[])[],
  objects: readonly string[] = [],
): Buffer {
  return writePdfObjects([...createCjkObjects(font, lines), ...objects]);
}

/** Creates the objects of a PDF of one page. */
export function createCjkObjects(font: CjkFont, lines: readonly (readonly string[])[]): readonly string[] {
  const content = lines.flatMap((parts, line) =>
    parts.map((part, index) => {
      const before = parts.slice(0, index).join('').length * SIZE;
      const [x, y] = font.cmap.endsWith('V')
        ? [500 - line * LINE_PITCH, 700 - before]
        : [72 + before, 700 - line * LINE_PITCH];
      return `BT /F1 ${SIZE} Tf ${x} ${y} Td <${Buffer.from(font.encode(part)).toString('hex')}> Tj ET`;
    }),
  );
  const { name, cmap, ordering, entries = `/Encoding /${cmap}` } = font;
  return [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 4 0 R >> >> /Contents 7 0 R >>',
    `<< /Type /Font /Subtype /Type0 /BaseFont /${name}-${cmap} ${entries} /DescendantFonts [5 0 R] >>`,
    `<< /Type /Font /Subtype /CIDFontType0 /BaseFont /${name} /FontDescriptor 6 0 R /CIDSystemInfo << /Registry (Adobe) /Ordering (${ordering}) /Supplement 2 >> >>`,
    `<< /Type /FontDescriptor /FontName /${name} /Flags 6 /FontBBox [0 -120 1000 880] /ItalicAngle 0 /Ascent 880 /Descent -120 /StemV 80 >>`,
    createStreamObject(content.join('\n')),
  ];
}

/** A composite font without a map to Unicode. Its codes are the UTF-16 codes of the characters of a text. */
const UNMAPPED_FONT: CjkFont = { name: 'Subset', cmap: 'Identity-H', ordering: 'Identity', encode: encodeUtf16 };

/**
 * Creates a PDF of one page with a line in Helvetica, and a line in a composite font without a map to Unicode.
 *
 * @param entries entries of the composite font that replace its `/Encoding`
 * @param objects further objects of the PDF, which have numbers from 8 on
 */
export function makeUnmappedPdf(
  readable: string,
  unmapped: string,
  entries = '/Encoding /Identity-H',
  objects: readonly string[] = [],
): Buffer {
  const helvetica = '/F2 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>';
  const pdf = makeCjkPdf({ ...UNMAPPED_FONT, entries }, [[unmapped]], objects)
    .toString('latin1')
    .replace('/Resources << /Font <<', `/Resources << /Font << ${helvetica}`)
    .replace('BT /F1', `BT /F2 12 Tf 72 740 Td (${readable}) Tj ET BT /F1`);
  return Buffer.from(pdf, 'latin1');
}

function encodeUtf16(text: string): Uint8Array {
  return Buffer.from(text, 'utf16le').swap16();
}

/** Encodes hiragana as glyph numbers of Adobe-Japan1, in which hiragana have consecutive numbers. */
function encodeHiraganaIds(text: string): Uint8Array {
  const FIRST = { codePoint: 0x3041, id: 842 };
  return Buffer.from(
    Array.from(text).flatMap((character) => {
      const id = (character.codePointAt(0) ?? 0) - FIRST.codePoint + FIRST.id;
      return [id >> 8, id & 255];
    }),
  );
}
