import type { PageImage, RecognizedImage } from '@quarry/document-readers';

/** Recognizes the words in images of pages (OCR). */
export interface Recognizer {
  /**
   * Returns the words of a page in reading order; none if the image has no text.
   *
   * @throws PageNotRecognized if this page cannot be recognized; AttemptFailed with `ocr_unavailable` if no page can be
   *   recognized at present; the signal's reason if the signal aborts
   */
  recognize(image: PageImage, signal: AbortSignal): Promise<RecognizedImage>;
}

/** Error that reports that one page cannot be recognized, although other pages may be. */
export class PageNotRecognized extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(`the page was not recognized: ${reason}`, options);
    this.name = 'PageNotRecognized';
  }
}

/** Formats an image as a portable graymap (PGM), an uncompressed format that image libraries can read. */
export function formatGraymap({ width, height, pixels }: PageImage): Buffer {
  return Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`, 'latin1'), pixels]);
}
