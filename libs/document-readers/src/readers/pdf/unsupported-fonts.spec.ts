import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { encodeWithCharset } from '../../testing/encode-with-charset.js';
import { createCjkObjects, makeCjkPdf, CJK_FONTS, type CjkFont } from '../../testing/make-cjk-pdf.js';
import { writeEncryptedPdf } from '../../testing/encrypt-pdf.js';
import { createStreamObject } from '../../testing/make-pdf.js';
import { readBlocks } from '../../testing/read-blocks.js';
import { readPdf } from './pdf.js';
import { findWronglyDecodedFonts } from './unsupported-fonts.js';

const JAPANESE = 'これは日本語の文章です';
const TEXTS: Readonly<Record<string, string>> = {
  Japan1: JAPANESE,
  GB1: '这是没有嵌入字体的中文',
  CNS1: '這是沒有嵌入字體的中文',
  Korea1: '이것은한국어문장이다',
};

function createFont(ordering: string, cmap: string, encode: CjkFont['encode']): CjkFont {
  return { name: 'Some', ordering, cmap, encode };
}

function createEncoder(encoding: string): CjkFont['encode'] {
  return (text) => encodeWithCharset(encoding, text);
}

/** Creates a function that encodes each character in two 7-bit bytes, as JIS X 0208, GB 2312 and KS X 1001 do. */
function createEncoderOf7Bits(encoding: string): CjkFont['encode'] {
  return (text) => encodeWithCharset(encoding, text).map((byte) => byte & 0x7f);
}

function encodeUtf16(text: string): Uint8Array {
  return Buffer.from(text, 'utf16le').swap16();
}

function encodeUtf8(text: string): Uint8Array {
  return Buffer.from(text);
}

/** Lists fonts with the predefined CMaps of ISO 32000-1, table 118, for horizontal text. */
const PREDEFINED: readonly CjkFont[] = [
  ...['83pv-RKSJ-H', '90ms-RKSJ-H', '90msp-RKSJ-H', '90pv-RKSJ-H', 'Add-RKSJ-H', 'Ext-RKSJ-H'].map((cmap) =>
    createFont('Japan1', cmap, createEncoder('shift_jis')),
  ),
  createFont('Japan1', 'EUC-H', createEncoder('euc-jp')),
  createFont('Japan1', 'H', createEncoderOf7Bits('euc-jp')),
  ...['UniJIS-UCS2-H', 'UniJIS-UCS2-HW-H', 'UniJIS-UTF16-H'].map((cmap) => createFont('Japan1', cmap, encodeUtf16)),
  ...['GB-EUC-H', 'GBpc-EUC-H', 'GBK-EUC-H', 'GBKp-EUC-H', 'GBK2K-H'].map((cmap) =>
    createFont('GB1', cmap, createEncoder('gbk')),
  ),
  ...['UniGB-UCS2-H', 'UniGB-UTF16-H'].map((cmap) => createFont('GB1', cmap, encodeUtf16)),
  ...['B5pc-H', 'HKscs-B5-H', 'ETen-B5-H', 'ETenms-B5-H'].map((cmap) =>
    createFont('CNS1', cmap, createEncoder('big5')),
  ),
  ...['UniCNS-UCS2-H', 'UniCNS-UTF16-H'].map((cmap) => createFont('CNS1', cmap, encodeUtf16)),
  ...['KSC-EUC-H', 'KSCms-UHC-H', 'KSCms-UHC-HW-H', 'KSCpc-EUC-H'].map((cmap) =>
    createFont('Korea1', cmap, createEncoder('euc-kr')),
  ),
  ...['UniKS-UCS2-H', 'UniKS-UTF16-H'].map((cmap) => createFont('Korea1', cmap, encodeUtf16)),
];

/**
 * Lists fonts with CMaps that pdfium does not decode. `CNS-EUC-H` encodes CNS 11643, but the test can use any codes.
 */
const UNSUPPORTED: readonly CjkFont[] = [
  createFont('CNS1', 'CNS-EUC-H', createEncoder('big5')),
  ...['RKSJ-H', '78-RKSJ-H', 'RKSJ-V', '90pv-RKSJ-V'].map((cmap) =>
    createFont('Japan1', cmap, createEncoder('shift_jis')),
  ),
  createFont('Japan1', '78-EUC-H', createEncoder('euc-jp')),
  createFont('Japan1', '78-H', createEncoderOf7Bits('euc-jp')),
  ...['UniJIS-UTF8-H', 'UniJIS-UTF8-V'].map((cmap) => createFont('Japan1', cmap, encodeUtf8)),
  createFont('GB1', 'GBT-EUC-H', createEncoder('gbk')),
  createFont('GB1', 'GB-H', createEncoderOf7Bits('gbk')),
  createFont('CNS1', 'ETHK-B5-V', createEncoder('big5')),
  ...['KSC-Johab-H', 'KSCpc-EUC-V'].map((cmap) => createFont('Korea1', cmap, createEncoder('euc-kr'))),
];

async function readText(pdf: Buffer) {
  const { blocks, pages } = await readBlocks(readPdf, pdf);
  return { text: blocks.map(({ text }) => text.replace(/\s/g, '')).join(''), undecoded: pages?.undecodedPages };
}

function getText({ ordering }: CjkFont): string {
  return TEXTS[ordering] ?? '';
}

describe('text with a predefined CMap', () => {
  it.each(PREDEFINED)('readPdf decodes text with the supported CMap $cmap', async (font) => {
    const pdf = makeCjkPdf(font, [[getText(font)]]);
    await expect(readText(pdf)).resolves.toEqual({ text: getText(font), undecoded: 0 });
  });

  it.each(UNSUPPORTED)(
    'readPdf omits text with the unsupported CMap $cmap, and counts the page as undecoded',
    async (font) => {
      const pdf = makeCjkPdf(font, [[getText(font)]]);
      await expect(readText(pdf)).resolves.toEqual({ text: '', undecoded: 1 });
    },
  );

  it('readPdf keeps the text in other fonts on a page that has a font with an unsupported CMap', async () => {
    const font = createFont('Japan1', 'RKSJ-H', createEncoder('shift_jis'));
    const resources = `/Resources << /Font << /F2 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>`;
    const pdf = makeCjkPdf(font, [[JAPANESE]])
      .toString('latin1')
      .replace('/Resources << /Font <<', resources)
      .replace('BT /F1 12 Tf', 'BT /F2 12 Tf 72 400 Td (Heron) Tj ET BT /F1 12 Tf');
    await expect(readText(Buffer.from(pdf, 'latin1'))).resolves.toEqual({ text: 'Heron', undecoded: 1 });
  });

  it.each([
    ['in its dictionary', '/UseCMap /90ms-RKSJ-H', ''],
    ['in its content', '', '/90ms-RKSJ-H usecmap'],
    ['in its compressed content', '/Filter /FlateDecode', '/90ms-RKSJ-H usecmap'],
  ])(
    'readPdf omits text with an embedded CMap that names a predefined CMap %s, and counts the page as undecoded',
    async (_, use, statement) => {
      const entries = `/Type /CMap /CMapName /Mine ${use}`;
      const text = `${statement} 1 begincidrange <8140> <8140> 633 endcidrange`;
      const cmap = createStreamObject(use.includes('/Filter') ? deflateSync(text).toString('latin1') : text, entries);
      const font = { ...createFont('Japan1', 'Mine', createEncoder('shift_jis')), entries: '/Encoding 8 0 R' };
      await expect(readText(makeCjkPdf(font, [[JAPANESE]], [cmap]))).resolves.toEqual({ text: '', undecoded: 1 });
    },
  );

  it.each([
    ['RKSJ-H', { text: '', undecoded: 1 }],
    ['90ms-RKSJ-H', { text: JAPANESE, undecoded: 0 }],
  ])('readPdf finds the CMap %s in an object stream of an encrypted file', async (cmap, expected) => {
    const font = createFont('Japan1', cmap, createEncoder('shift_jis'));
    await expect(readText(writeEncryptedPdf(createCjkObjects(font, [[JAPANESE]])))).resolves.toEqual(expected);
  });

  it('readPdf decodes text if the embedded CMap of the font names a predefined CMap only in a comment', async () => {
    const cmap = createStreamObject(
      '% /H usecmap\n1 begincodespacerange <0000> <ffff> endcodespacerange',
      '/CMapName /Mine',
    );
    const entries = '/Encoding 8 0 R /ToUnicode /Identity-H';
    const font = { ...createFont('Identity', 'Mine', encodeUtf16), entries };
    await expect(readText(makeCjkPdf(font, [['Heron']], [cmap]))).resolves.toEqual({ text: 'Heron', undecoded: 0 });
  });

  it('if a font has a map to Unicode, readPdf decodes text whose embedded CMap uses a predefined CMap with two-byte codes', async () => {
    const map = createStreamObject(
      '1 begincodespacerange <0000> <ffff> endcodespacerange 1 beginbfchar <2433> <3053> endbfchar',
    );
    const cmap = createStreamObject('/78-H usecmap', '/Type /CMap /CMapName /Mine /UseCMap /78-H');
    const entries = '/Encoding 9 0 R /ToUnicode 8 0 R';
    const font = { ...createFont('Japan1', 'Mine', createEncoderOf7Bits('euc-jp')), entries };
    await expect(readText(makeCjkPdf(font, [['こ']], [map, cmap]))).resolves.toEqual({ text: 'こ', undecoded: 0 });
  });

  it('if a font has a map to Unicode, readPdf decodes text with a predefined CMap of two-byte codes', async () => {
    const map = createStreamObject(
      '1 begincodespacerange <0000> <ffff> endcodespacerange 1 beginbfchar <2433> <3053> endbfchar',
    );
    const entries = '/Encoding /78-H /ToUnicode 8 0 R';
    const font = { ...createFont('Japan1', '78-H', createEncoderOf7Bits('euc-jp')), entries };
    await expect(readText(makeCjkPdf(font, [['こ']], [map]))).resolves.toEqual({ text: 'こ', undecoded: 0 });
  });
});

describe('findWronglyDecodedFonts', () => {
  it('findWronglyDecodedFonts finds a font and its descendant font that are stored in an object stream', () => {
    const objects = ['<</Type/Font/Subtype/Type0/Encoding/RKSJ#2DH/DescendantFonts[5 0 R]>>', '<</BaseFont/A#20B>>'];
    const header = `4 0 5 ${objects[0]?.length ?? 0} `;
    const content = deflateSync(header + objects.join('')).toString('latin1');
    const entries = `/Type /ObjStm /N 2 /First ${header.length} /Filter /FlateDecode`;
    const pdf = Buffer.from(`3 0 obj\n${createStreamObject(content, entries)}\nendobj\n`, 'latin1');
    expect([...findWronglyDecodedFonts(pdf).unsupported]).toEqual(['A B']);
  });

  it.each(CJK_FONTS)('findWronglyDecodedFonts does not report a font with the CMap $cmap as unsupported', (font) => {
    expect(findWronglyDecodedFonts(makeCjkPdf(font, [])).unsupported.size).toBe(0);
  });

  it.each(['/Type0', '<< /Type0', '<< /Type0 >>', '/Type /ObjStm stream', `${'<<'.repeat(9_000)}/Type0`])(
    'findWronglyDecodedFonts does not throw for a damaged file: %s',
    (content) => {
      expect(findWronglyDecodedFonts(Buffer.from(content)).unsupported.size).toBe(0);
    },
  );
});
