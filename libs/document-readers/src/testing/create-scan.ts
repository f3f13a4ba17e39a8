import { deflateSync } from 'node:zlib';
import { openPdf } from '../readers/pdf/pdfium.js';
import type { PageImage } from '../readers/recognized-page.js';
import { createStreamObject, writePdfObjects } from './make-pdf.js';

const POINTS_PER_INCH = 72;

/**
 * Creates a PDF as a scanner does: its pages are images of the pages of another PDF, and contain no text.
 *
 * @param lastPage text of an additional page, which is not an image
 * @param pages numbers of the pages to scan, from 1; all pages by default
 */
export async function createScanOfPages(
  pdf: Uint8Array,
  lastPage?: string,
  pages?: readonly number[],
): Promise<Buffer> {
  const file = await openPdf(pdf);
  const scanned = pages ?? Array.from({ length: file.pages }, (_, index) => index + 1);
  const images = scanned.map((page) => file.renderPage(page - 1));
  file.close();
  return createScanPdf(images, lastPage);
}

function createScanPdf(images: readonly PageImage[], lastPage: string | undefined): Buffer {
  const pages = images.length + (lastPage === undefined ? 0 : 1);
  const kids = Array.from({ length: pages }, (_, index) => `${3 + 3 * index} 0 R`).join(' ');
  return writePdfObjects([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${pages} /Kids [${kids}] >>`,
    ...images.flatMap((image, index) => createImagePageObjects(image, 3 + 3 * index)),
    ...(lastPage === undefined ? [] : createTextPageObjects(lastPage, 3 + 3 * images.length)),
  ]);
}

function createTextPageObjects(text: string, objectNumber: number): readonly string[] {
  const pageEntries = `/MediaBox [0 0 612 792] /Resources << /Font << /F1 ${objectNumber + 2} 0 R >> >>`;
  return [
    `<< /Type /Page /Parent 2 0 R ${pageEntries} /Contents ${objectNumber + 1} 0 R >>`,
    createStreamObject(`BT /F1 11 Tf 72 720 Td (${text}) Tj ET`),
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
  ];
}

function createImagePageObjects({ width, height, dpi, pixels }: PageImage, objectNumber: number): readonly string[] {
  const size = [width, height].map((length) => (length * POINTS_PER_INCH) / dpi);
  const pageEntries = `/MediaBox [0 0 ${size.join(' ')}] /Resources << /XObject << /Scan ${objectNumber + 2} 0 R >> >>`;
  const entries = `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceGray`;
  return [
    `<< /Type /Page /Parent 2 0 R ${pageEntries} /Contents ${objectNumber + 1} 0 R >>`,
    createStreamObject(`${size[0] ?? 0} 0 0 ${size[1] ?? 0} 0 0 cm /Scan Do`),
    createStreamObject(deflateSync(pixels).toString('latin1'), `${entries} /BitsPerComponent 8 /Filter /FlateDecode`),
  ];
}
