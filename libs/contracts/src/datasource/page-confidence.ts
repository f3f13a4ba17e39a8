import { Describe, IsInt, Max, Min } from '@quarry/validation';

/** Maximum number of pages whose confidence is reported for a document. */
export const MAX_PAGE_CONFIDENCES = 100;

/** Describes how well the words of a page were recognized. */
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
