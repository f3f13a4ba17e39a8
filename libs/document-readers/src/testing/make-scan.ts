import { deflateSync } from 'node:zlib';
import { openPdf } from '../readers/pdf/pdfium.js';
import type { PageImage } from '../readers/recognized-page.js';
import { createStream, writePdfObjects } from './make-pdf.js';

const POINTS_PER_INCH = 72;

/**
 * Creates a PDF whose pages are images of the pages of another PDF, without text, as scanners do.
 *
 * @param lastPage text of an additional page, which is not an image
 * @param pages the pages to scan, from 1; all by default
 */
export async function scanPages(pdf: Uint8Array, lastPage?: string, pages?: readonly number[]): Promise<Buffer> {
  const file = await openPdf(pdf);
  const scanned = pages ?? Array.from({ length: file.pages }, (_, index) => index + 1);
  const images = scanned.map((page) => file.renderPage(page - 1));
  file.close();
  return makeScan(images, lastPage);
}

function makeScan(images: readonly PageImage[], lastPage: string | undefined): Buffer {
  const pages = images.length + (lastPage === undefined ? 0 : 1);
  const kids = Array.from({ length: pages }, (_, index) => `${3 + 3 * index} 0 R`).join(' ');
  return writePdfObjects([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${pages} /Kids [${kids}] >>`,
    ...images.flatMap((image, index) => createImagePage(image, 3 + 3 * index)),
    ...(lastPage === undefined ? [] : createTextPage(lastPage, 3 + 3 * images.length)),
  ]);
}

function createTextPage(text: string, number: number): readonly string[] {
  const place = `/MediaBox [0 0 612 792] /Resources << /Font << /F1 ${number + 2} 0 R >> >>`;
  return [
    `<< /Type /Page /Parent 2 0 R ${place} /Contents ${number + 1} 0 R >>`,
    createStream(`BT /F1 11 Tf 72 720 Td (${text}) Tj ET`),
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
  ];
}

function createImagePage({ width, height, dpi, pixels }: PageImage, number: number): readonly string[] {
  const size = [width, height].map((length) => (length * POINTS_PER_INCH) / dpi);
  const place = `/MediaBox [0 0 ${size.join(' ')}] /Resources << /XObject << /Scan ${number + 2} 0 R >> >>`;
  const entries = `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceGray`;
  return [
    `<< /Type /Page /Parent 2 0 R ${place} /Contents ${number + 1} 0 R >>`,
    createStream(`${size[0] ?? 0} 0 0 ${size[1] ?? 0} 0 0 cm /Scan Do`),
    createStream(deflateSync(pixels).toString('latin1'), `${entries} /BitsPerComponent 8 /Filter /FlateDecode`),
  ];
}
