import { openPdf } from '../readers/pdf/pdfium.js';

/**
 * Returns the text of each page of a PDF in content order, for a benchmark that compares this text with the text that
 * OCR recognizes.
 */
export async function readPageTexts(pdf: Uint8Array): Promise<readonly string[]> {
  const file = await openPdf(pdf);
  const texts = Array.from({ length: file.pages }, (_, index) => {
    const { glyphs } = file.readPage(index);
    return glyphs.map(({ text, hyphen }) => (hyphen ? '' : text)).join('');
  });
  file.close();
  return texts;
}
