import { ReadingFailed } from '../reader.js';
import { annotationReader, type Annotation } from './annotations.js';
import { glyphsOf, SCRATCH_BYTES, type Glyph } from './glyphs.js';
import { takeInstance } from './pdfium-instance.js';

export interface Page {
  /** In the order of its content; `\n` ends a line. */
  readonly glyphs: readonly Glyph[];
  readonly annotations: readonly Annotation[];
}

export interface PdfFile {
  readonly pages: number;
  /** @param index from 0 */
  page(index: number): Page;
  /** Gives back what the file was read with. Not called, where reading has failed: then it is not used again. */
  close(): void;
}

const PASSWORD_NEEDED = 4;
const SECURITY_UNSUPPORTED = 5;
const ERRORS: Readonly<Record<number, string>> = {
  [PASSWORD_NEEDED]: 'it is protected by a password',
  [SECURITY_UNSUPPORTED]: 'it is protected in a way that is not supported',
};

/** @throws ReadingFailed with `file_encrypted` or `file_unreadable` */
export async function openPdf(bytes: Uint8Array): Promise<PdfFile> {
  const instance = await takeInstance();
  const pdfium = instance.exports;
  const data = pdfium.malloc(bytes.length);
  if (data === 0) throw new ReadingFailed('reading_out_of_memory', `${bytes.length} bytes of PDF find no room`);
  new Uint8Array(pdfium.memory.buffer, data, bytes.length).set(bytes);
  const document = pdfium.FPDF_LoadMemDocument(data, bytes.length, 0);
  if (document === 0) throw failure(pdfium.FPDF_GetLastError());
  const pages = pdfium.FPDF_GetPageCount(document);
  if (pages === 0) throw new ReadingFailed('file_unreadable', 'The PDF is damaged: no page can be found in it.');
  const scratch = pdfium.malloc(SCRATCH_BYTES);
  const annotationsOf = annotationReader(pdfium, document, scratch);
  return {
    pages,
    page: (index) => {
      const page = pdfium.FPDF_LoadPage(document, index);
      if (page === 0) return { glyphs: [], annotations: [] };
      const read = { glyphs: glyphsOf(pdfium, page, scratch), annotations: annotationsOf(page) };
      pdfium.FPDF_ClosePage(page);
      return read;
    },
    close: () => {
      instance.giveBack();
    },
  };
}

function failure(code: number): ReadingFailed {
  const encrypted = ERRORS[code];
  if (encrypted !== undefined) return new ReadingFailed('file_encrypted', `The PDF cannot be opened: ${encrypted}.`);
  return new ReadingFailed(
    'file_unreadable',
    'The PDF is damaged: it cannot be opened, not even by searching it for pages.',
  );
}
