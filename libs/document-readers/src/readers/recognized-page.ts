/** Describes a page that is rendered for text recognition, in 8-bit grey. */
export interface PageImage {
  /** Width in pixels. */
  readonly width: number;
  readonly height: number;
  /** Pixels per inch. */
  readonly dpi: number;
  /** One byte per pixel, row by row from the top, without padding. 255 is white. */
  readonly pixels: Uint8Array;
}

/** Describes a word that was recognized in an image, with its rectangle in pixels from the upper left corner. */
export interface RecognizedWord {
  readonly text: string;
  /** Confidence from 0 to 100. */
  readonly confidence: number;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  /** Number of the line. Consecutive words with the same number form a line. */
  readonly line: number;
}

/** Clockwise turns of an image, in quarters. */
export type QuarterTurns = 0 | 1 | 2 | 3;

/** Holds the words of an image in reading order. */
export interface RecognizedImage {
  readonly words: readonly RecognizedWord[];
  /**
   * Turns that made a sideways image upright. The rectangles of the words refer to the turned image. Absent: the image
   * was not turned.
   */
  readonly turns?: QuarterTurns;
}

/** Holds the words of a page in reading order. */
export interface RecognizedPage extends RecognizedImage {
  /** Page number, from 1. */
  readonly page: number;
  /** Properties of the image before it was turned. */
  readonly image: Omit<PageImage, 'pixels'>;
}
