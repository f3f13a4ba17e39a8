import type { PagePicture } from '../page-picture.js';
import { ReadingFailed } from '../reader.js';
import { encodePng } from './encode-png.js';
import type { PdfiumExports } from './pdfium-instance.js';

/**
 * Maximum number of pixels of the picture of a page, to limit memory and time. A longer page, such as a receipt, gets a
 * lower resolution.
 */
const MAX_PIXELS = 16_000_000;

/** Number of pdfium's bitmap format with 4 bytes per pixel. The last byte of a pixel is unused. */
const COLOR_BITMAP = 3;
const BYTES_PER_PIXEL = 4;
const RED = 0;
const GREEN = 1;
const BLUE = 2;
const RENDER_ANNOTATIONS = 0x01;
const RED_FIRST = 0x10;
const WHITE = 0xffffffff;

/**
 * Renders a page in color as it is displayed, with annotations and the values of form fields.
 *
 * @param page handle of the page
 * @param targetWidth in pixels
 * @throws ReadingFailed if the size of the page is not supported
 */
export function renderPicture(pdfium: PdfiumExports, page: number, targetWidth: number): PagePicture {
  const aspect = pdfium.FPDF_GetPageHeightF(page) / pdfium.FPDF_GetPageWidthF(page);
  const width = Math.floor(Math.min(targetWidth, Math.sqrt(MAX_PIXELS / aspect)));
  const height = Math.min(MAX_PIXELS, Math.round(width * aspect));
  if (!(width > 0 && height > 0)) throw createRenderingError('its size is not supported');
  const bitmap = pdfium.FPDFBitmap_CreateEx(width, height, COLOR_BITMAP, 0, 0);
  if (bitmap === 0) throw createRenderingError('it exceeds the memory of the PDF library');
  pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, WHITE);
  pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, RENDER_ANNOTATIONS | RED_FIRST);
  const address = pdfium.FPDFBitmap_GetBuffer(bitmap);
  const rows = { stride: pdfium.FPDFBitmap_GetStride(bitmap), width, height };
  const png = encodePictureRows(new Uint8Array(pdfium.memory.buffer, address, rows.stride * height), rows);
  pdfium.FPDFBitmap_Destroy(bitmap);
  return { width, height, png };
}

/** Describes the rows of a bitmap. */
interface Rows {
  /** Distance between the starts of two rows, in bytes. */
  readonly stride: number;
  readonly width: number;
  readonly height: number;
}

/** Encodes the rows of a bitmap as PNG. Encodes a bitmap without color in grey, which takes a third of the bytes. */
function encodePictureRows(bitmap: Uint8Array, { stride, width, height }: Rows): Uint8Array {
  const channels = hasColor(bitmap) ? 3 : 1;
  const samples = new Uint8Array(width * height * channels);
  let to = 0;
  for (let row = 0; row < height; row += 1) {
    const end = row * stride + width * BYTES_PER_PIXEL;
    for (let from = row * stride; from < end; from += BYTES_PER_PIXEL) {
      for (let channel = 0; channel < channels; channel += 1) samples[to++] = bitmap[from + channel] ?? 0;
    }
  }
  return encodePng({ width, height, channels, samples });
}

function hasColor(bitmap: Uint8Array): boolean {
  for (let at = 0; at < bitmap.length; at += BYTES_PER_PIXEL) {
    const green = bitmap[at + GREEN];
    if (bitmap[at + RED] !== green || bitmap[at + BLUE] !== green) return true;
  }
  return false;
}

function createRenderingError(reason: string): ReadingFailed {
  return new ReadingFailed('file_unreadable', `The page cannot be rendered: ${reason}.`);
}
