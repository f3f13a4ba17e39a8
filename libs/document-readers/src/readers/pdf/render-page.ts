import { ReadingFailed } from '../reader.js';
import type { PageImage } from '../recognized-page.js';
import type { PdfiumExports } from './pdfium-instance.js';

const POINTS_PER_INCH = 72;
/** Resolution at which text recognition works best, in pixels per inch. */
const DPI = 200;
/**
 * Maximum number of pixels of a rendered page, to limit memory and time. A larger page, such as a plan, gets a lower
 * resolution.
 */
const MAX_PIXELS = 25_000_000;
const MIN_DPI = 20;

const GREY_BITMAP = 1;
const GREYSCALE = 0x08;
const WHITE = 0xffffffff;

/**
 * Renders a page in grey, without annotations and without the values of form fields. @throws ReadingFailed if the page
 * is too large
 */
export function renderPage(pdfium: PdfiumExports, page: number): PageImage {
  const inches = {
    width: pdfium.FPDF_GetPageWidthF(page) / POINTS_PER_INCH,
    height: pdfium.FPDF_GetPageHeightF(page) / POINTS_PER_INCH,
  };
  const dpi = Math.floor(Math.min(DPI, Math.sqrt(MAX_PIXELS / (inches.width * inches.height))));
  const width = Math.round(inches.width * dpi);
  const height = Math.round(inches.height * dpi);
  if (!(dpi >= MIN_DPI && width > 0 && height > 0)) throw createRenderingError('its size is not supported');
  const bitmap = pdfium.FPDFBitmap_CreateEx(width, height, GREY_BITMAP, 0, 0);
  if (bitmap === 0) throw createRenderingError('it exceeds the memory of the PDF library');
  pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, WHITE);
  pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, GREYSCALE);
  const pixels = copyPixels(pdfium, bitmap, width, height);
  pdfium.FPDFBitmap_Destroy(bitmap);
  return { width, height, dpi, pixels };
}

/** Copies the rows of a bitmap without their padding. */
function copyPixels(pdfium: PdfiumExports, bitmap: number, width: number, height: number): Uint8Array {
  const address = pdfium.FPDFBitmap_GetBuffer(bitmap);
  const stride = pdfium.FPDFBitmap_GetStride(bitmap);
  const memory = new Uint8Array(pdfium.memory.buffer);
  const pixels = new Uint8Array(width * height);
  for (let row = 0; row < height; row += 1) {
    const start = address + row * stride;
    pixels.set(memory.subarray(start, start + width), row * width);
  }
  return pixels;
}

function createRenderingError(reason: string): ReadingFailed {
  return new ReadingFailed('file_unreadable', `The page cannot be rendered: ${reason}.`);
}
