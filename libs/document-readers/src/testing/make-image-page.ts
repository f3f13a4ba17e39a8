import { createStreamObject, writePdfObjects } from './make-pdf.js';

export interface ImagePageOptions {
  /** Text on the page, in Helvetica. Absent: no text. */
  readonly text?: string;
  /** Position of the text, in points from the lower left corner of the page. */
  readonly x?: number;
  readonly y?: number;
  /** Size of the image, in points. */
  readonly image?: readonly [width: number, height: number];
  /** Clockwise rotation of the displayed page, in degrees. */
  readonly rotate?: number;
}

/** Creates a PDF of one page with an image in the lower left corner, and text over the image. */
export function makeImagePage({
  text = '',
  x = 72,
  y = 760,
  image = [612, 792],
  rotate = 0,
}: ImagePageOptions): Buffer {
  const resources = '/Resources << /Font << /F1 6 0 R >> /XObject << /Scan 5 0 R >> >>';
  return writePdfObjects([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Rotate ${rotate} ${resources} /Contents 4 0 R >>`,
    createStreamObject(`q ${image.join(' 0 0 ')} 0 0 cm /Scan Do Q BT /F1 12 Tf ${x} ${y} Td (${text}) Tj ET`),
    createStreamObject('\u0000', '/Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8'),
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
  ]);
}
