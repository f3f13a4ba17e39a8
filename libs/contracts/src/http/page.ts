import { Describe, IntegerFromText, IsOptional, IsString } from '@quarry/validation';

export const DEFAULT_PAGE_SIZE = 50;
export const MAX_PAGE_SIZE = 200;

/** Which part of a list: the query string of every list. */
export class PageQuery {
  @Describe('How many items, at most. Absent: 50.')
  @IsOptional()
  @IntegerFromText({ min: 1, max: MAX_PAGE_SIZE })
  readonly limit?: number;

  @Describe('The `next_cursor` of the page before. Absent: the first page.')
  @IsOptional()
  @IsString()
  readonly cursor?: string;
}

/** A part of a list, newest first. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** Asks for the items after these; null when there are none. */
  readonly next_cursor: string | null;
}
