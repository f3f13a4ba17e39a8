/** Describes a page that is rendered for text recognition, in 8-bit grey. */
export interface PageImage {
  /** Width of the image in pixels. */
  readonly width: number;
  readonly height: number;
  /** Resolution of the image in pixels per inch. */
  readonly dpi: number;
  /** One byte per pixel, row by row from the top, without padding. 255 is white. */
  readonly pixels: Uint8Array;
}

/**
 * Describes a word that OCR recognized in an image, with its rectangle in pixels from the upper left corner of the
 * image.
 */
export interface RecognizedWord {
  readonly text: string;
  /** Confidence of the OCR in `text`, from 0 to 100. */
  readonly confidence: number;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  /** Number of the line that contains the word. Consecutive words with the same number form a line. */
  readonly line: number;
}

/** Number of clockwise quarter turns of an image. */
export type QuarterTurns = 0 | 1 | 2 | 3;

/** Holds the words that OCR recognized in an image, in reading order. */
export interface RecognizedImage {
  readonly words: readonly RecognizedWord[];
  /**
   * Turns that OCR applied to make a sideways image upright. The rectangles of the words refer to the turned image.
   * Absent: the image was not turned.
   */
  readonly turns?: QuarterTurns;
}

/** Holds the words that OCR recognized on a page, in reading order. */
export interface RecognizedPage extends RecognizedImage {
  /** Page number, from 1. */
  readonly page: number;
  /** Size and resolution of the image of the page, before it was turned. */
  readonly image: Omit<PageImage, 'pixels'>;
}
