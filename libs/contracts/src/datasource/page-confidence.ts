import { Describe, IsInt, Max, Min } from '@quarry/validation';

/** Maximum number of pages of a document for which the confidence of text recognition is reported. */
export const MAX_PAGE_CONFIDENCES = 100;

/** Describes the confidence with which OCR recognized the words of a page. */
export class PageConfidence {
  @IsInt()
  @Min(1)
  @Describe('Page number, starting at 1.')
  readonly page: number;

  @IsInt()
  @Min(0)
  @Max(100)
  @Describe('Mean confidence of the recognized words of the page in percent.')
  readonly confidence: number;
}
