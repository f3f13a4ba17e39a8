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

/** Describes a word that was recognized in an image, with its box in pixels from the upper left corner. */
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

/** Holds the words of a page in reading order. */
export interface RecognizedPage {
  /** Page number, from 1. */
  readonly page: number;
  readonly image: Omit<PageImage, 'pixels'>;
  readonly words: readonly RecognizedWord[];
}
