import { describe, expect, it } from 'vitest';
import { makeUnmappedPdf } from '../../testing/make-cjk-pdf.js';
import { createStreamObject, writePdfObjects } from '../../testing/make-pdf.js';
import { readBlocks } from '../../testing/read-blocks.js';
import { readPdf } from './pdf.js';

async function readText(pdf: Buffer) {
  const { blocks, pages } = await readBlocks(readPdf, pdf);
  return { text: blocks.map(({ text }) => text).join('\n'), undecoded: pages?.undecodedPages };
}

describe('text in a composite font without a map to Unicode', () => {
  it('readPdf omits text in a composite font without a map to Unicode, even if its codes look like letters, and counts the page as undecoded', async () => {
    // In many TrueType fonts, glyph numbers are the ASCII codes minus 29. These glyphs show "Volumes of".
    await expect(readText(makeUnmappedPdf('Heron', '9ROXPHVRIRXU'))).resolves.toEqual({ text: 'Heron', undecoded: 1 });
  });

  it('if few characters of a page are in a composite font without a map to Unicode, readPdf omits them and counts the page as decoded', async () => {
    const text = 'The heron stands in shallow water, and waits there for hours.';
    await expect(readText(makeUnmappedPdf(text, 'AB'))).resolves.toEqual({ text, undecoded: 0 });
    await expect(readText(makeUnmappedPdf('', 'AB'))).resolves.toEqual({ text: '', undecoded: 1 });
  });

  it('readPdf keeps text in a composite font that maps its codes to Unicode', async () => {
    const entries = '/Encoding /Identity-H /ToUnicode /Identity-H';
    const pdf = makeUnmappedPdf('Heron', 'Factuurdatum', entries);
    await expect(readText(pdf)).resolves.toEqual({ text: 'Heron\nFactuurdatum', undecoded: 0 });
  });

  it('readPdf keeps text in a composite font that maps its codes to glyph numbers, because the codes can be Unicode values', async () => {
    const pdf = makeUnmappedPdf('Heron', 'Factuurdatum', undefined, [createStreamObject('')]);
    const mapped = pdf
      .toString('latin1')
      .replace('/Subtype /CIDFontType0', '/Subtype /CIDFontType2 /CIDToGIDMap 8 0 R');
    await expect(readText(Buffer.from(mapped, 'latin1'))).resolves.toEqual({
      text: 'Heron\nFactuurdatum',
      undecoded: 0,
    });
  });
});

describe('text in a font whose glyphs have unknown names', () => {
  /**
   * Creates a PDF with a text in Helvetica, and a text in a Type 3 font without encoding. The Type 3 font draws a
   * square for each code from 1 to 99.
   */
  function makeType3Pdf(readable: string, codes: string): Buffer {
    const widths = Array.from({ length: 99 }, () => 1_000).join(' ');
    const names = Array.from({ length: 99 }, (_, index) => `/g${index + 1}`);
    const procedures = names.map((name) => `${name} 6 0 R`).join(' ');
    const differences = `/Encoding << /Type /Encoding /Differences [1 ${names.join(' ')}] >>`;
    return writePdfObjects([
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 4 0 R /F2 7 0 R >> >> /Contents 5 0 R >>',
      `<< /Type /Font /Subtype /Type3 /FontBBox [0 0 1000 1000] /FontMatrix [.001 0 0 .001 0 0] /CharProcs << ${procedures} >> ${differences} /FirstChar 1 /LastChar 99 /Widths [${widths}] >>`,
      createStreamObject(`BT /F2 12 Tf 72 740 Td (${readable}) Tj ET BT /F1 12 Tf 72 700 Td (${codes}) Tj ET`),
      createStreamObject('1000 0 0 0 1000 1000 d1 0 0 900 900 re f'),
      '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    ]);
  }

  it('if many codes of a font with unknown glyph names are not characters, readPdf omits the text in the font and reports the page as partial', async () => {
    const pdf = makeType3Pdf('Heron', '\u0001\u0002\u0003ABC\u0001\u0002');
    const { blocks, pages } = await readBlocks(readPdf, pdf);
    expect(blocks.map(({ text }) => text)).toEqual(['Heron']);
    expect(pages).toMatchObject({ undecodedPages: 1, imagePages: [], partialPages: [1] });
  });

  it('if the codes of a font with unknown glyph names are letters, readPdf keeps the text in the font', async () => {
    await expect(readText(makeType3Pdf('Heron', 'SPARROW'))).resolves.toEqual({ text: 'Heron\nSPARROW', undecoded: 0 });
  });
});
