import { Describe, IntegerFromText, IsOptional, IsString } from '@quarry/validation';

export const DEFAULT_PAGE_SIZE = 50;
export const MAX_PAGE_SIZE = 200;

/** Lists the directions in which lists can be sorted: oldest first or newest first. */
export const LIST_ORDERS = ['asc', 'desc'] as const;
export type ListOrder = (typeof LIST_ORDERS)[number];

/** Describes the pagination parameters in the query string of every list. */
export class PageQuery {
  @Describe('Maximum number of items. Default: 50.')
  @IsOptional()
  @IntegerFromText({ min: 1, max: MAX_PAGE_SIZE })
  readonly limit?: number;

  @Describe('`next_cursor` of the previous page. Default: the first page.')
  @IsOptional()
  @IsString()
  readonly cursor?: string;
}

/** Describes a page of a list. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** Value of `cursor` that selects the next page. Null on the last page. */
  readonly next_cursor: string | null;
}
