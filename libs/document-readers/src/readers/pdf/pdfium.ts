import { ReadingFailed } from '../reader.js';
import { createAnnotationReader, type Annotation } from './annotations.js';
import { SCRATCH_BYTES, type WrongFonts } from './glyph-scratch.js';
import { readGlyphs, type Glyph } from './glyphs.js';
import type { PagePicture } from '../page-picture.js';
import type { PageImage } from '../recognized-page.js';
import { hasImage, measureImageShare, hasTextInFonts } from './page-objects.js';
import { acquirePdfiumInstance } from './pdfium-instance.js';
import { readPageFrame, type PageFrame } from './page-frame.js';
import { renderPage } from './render-page.js';
import { renderPicture } from './render-picture.js';
import { countVisibleCharacters } from './undecoded-pages.js';
import { findWronglyDecodedFonts } from './unsupported-fonts.js';

export interface Page {
  /** True if the page cannot be opened. */
  readonly isDamaged: boolean;
  /** The glyphs in content order, that is, as the PDF draws them. A glyph `\n` ends a line. */
  readonly glyphs: readonly Glyph[];
  readonly frame: PageFrame;
  readonly annotations: readonly Annotation[];
  /**
   * True if text is missing because pdfium decodes a font wrongly, and text recognition cannot find that text either.
   */
  readonly isIncomplete: boolean;
  /** True if the page draws an image and has no visible glyph. */
  readonly isImage: boolean;
  /**
   * True if text recognition can find more text: an image covers most of a page with little text, or fonts lack a map
   * to Unicode.
   */
  readonly isPartial: boolean;
  /**
   * Glyphs of the page in embedded fonts without a map to Unicode. The text of a glyph for which pdfium found no
   * Unicode value is a space.
   */
  readonly unmapped: ReadonlySet<Glyph>;
}

export interface PdfFile {
  readonly pages: number;
  /**
   * Reads a page. If the page cannot be opened, `isDamaged` of the result is true. @param index index of the page, from
   * 0
   */
  readPage(index: number): Page;
  /**
   * Renders a page in grey. @param index index of the page, from 0 @throws ReadingFailed if the page cannot be rendered
   */
  renderPage(index: number): PageImage;
  /**
   * Renders a page for display.
   *
   * @param index index of the page, from 0
   * @param width width of the picture in pixels
   * @throws ReadingFailed if the page cannot be rendered
   */
  renderPicture(index: number, width: number): PagePicture;
  /**
   * Releases the pdfium instance for reuse. Do not call this method after a failure: the instance must then be
   * discarded.
   */
  close(): void;
}

const PASSWORD_NEEDED = 4;
const SECURITY_UNSUPPORTED = 5;
const ERRORS: Readonly<Record<number, string>> = {
  [PASSWORD_NEEDED]: 'a password protects it',
  [SECURITY_UNSUPPORTED]: 'its encryption is not supported',
};

const NO_AREA = { left: 0, right: 0, bottom: 0, top: 0 };
const DAMAGED_PAGE: Page = {
  isDamaged: true,
  glyphs: [],
  frame: { area: NO_AREA, rotation: 0 },
  annotations: [],
  isIncomplete: false,
  isImage: false,
  isPartial: false,
  unmapped: new Set(),
};
/** Minimum share of a page with little text that images must cover so that `isPartial` is true. */
const MIN_IMAGE_SHARE = 0.5;
/**
 * Maximum number of visible characters of a page with little text. If images cover most of such a page, `isPartial` is
 * true.
 */
const MAX_CHARACTERS = 200;

/** Opens a PDF. @throws ReadingFailed with `file_encrypted`, `file_unreadable` or `reading_out_of_memory` */
export async function openPdf(bytes: Uint8Array): Promise<PdfFile> {
  const instance = await acquirePdfiumInstance();
  const pdfium = instance.exports;
  const data = pdfium.malloc(bytes.length);
  if (data === 0)
    throw new ReadingFailed(
      'reading_out_of_memory',
      `The PDF of ${bytes.length} bytes exceeds the memory of the PDF library.`,
    );
  new Uint8Array(pdfium.memory.buffer, data, bytes.length).set(bytes);
  const document = pdfium.FPDF_LoadMemDocument(data, bytes.length, 0);
  if (document === 0) throw createOpeningError(pdfium.FPDF_GetLastError());
  const pages = pdfium.FPDF_GetPageCount(document);
  if (pages === 0) throw new ReadingFailed('file_unreadable', 'The PDF is damaged: it contains no page.');
  const scratch = pdfium.malloc(SCRATCH_BYTES);
  const readAnnotations = createAnnotationReader(pdfium, document, scratch);
  const renderPageAt = <Image>(index: number, renderOpenPage: (page: number) => Image): Image => {
    const page = pdfium.FPDF_LoadPage(document, index);
    if (page === 0)
      throw new ReadingFailed('file_unreadable', `Page ${index + 1} of the PDF is damaged and cannot be rendered.`);
    const image = renderOpenPage(page);
    pdfium.FPDF_ClosePage(page);
    return image;
  };
  let fonts: WrongFonts | undefined;
  return {
    pages,
    readPage: (index) => {
      const page = pdfium.FPDF_LoadPage(document, index);
      if (page === 0) return DAMAGED_PAGE;
      fonts ??= findWronglyDecodedFonts(isEncryptedPdf(bytes) ? (instance.copyDecrypted(document) ?? bytes) : bytes);
      const frame = readPageFrame(pdfium, page, scratch);
      const { glyphs, isIncomplete, unmapped } = readGlyphs(pdfium, page, scratch, fonts);
      const visible = countVisibleCharacters(glyphs);
      const isTextBesideImage = (): boolean =>
        visible <= MAX_CHARACTERS && measureImageShare(pdfium, page, frame.area, scratch) >= MIN_IMAGE_SHARE;
      const read = {
        ...{ isDamaged: false, frame, glyphs, unmapped, annotations: readAnnotations(page) },
        isIncomplete: isIncomplete || hasTextInFonts(pdfium, page, fonts.unsupported, scratch),
        isImage: visible === 0 && unmapped.size === 0 && hasImage(pdfium, page),
        isPartial: unmapped.size > 0 || (visible > 0 && isTextBesideImage()),
      };
      pdfium.FPDF_ClosePage(page);
      return read;
    },
    renderPage: (index) => renderPageAt(index, (page) => renderPage(pdfium, page)),
    renderPicture: (index, width) => renderPageAt(index, (page) => renderPicture(pdfium, page, width)),
    close: () => {
      instance.release();
    },
  };
}

/**
 * Returns whether the streams of a PDF are encrypted. The trailer of an encrypted PDF, which is itself not encrypted,
 * contains `/Encrypt`.
 */
function isEncryptedPdf(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes('/Encrypt');
}

function createOpeningError(code: number): ReadingFailed {
  const encrypted = ERRORS[code];
  if (encrypted !== undefined) return new ReadingFailed('file_encrypted', `The PDF cannot be opened: ${encrypted}.`);
  return new ReadingFailed('file_unreadable', 'The PDF is damaged and cannot be repaired.');
}
