import type { Page, PageQuery } from '@quarry/contracts';
import { createFieldProblem } from '../checks/field-problem.js';
import { buildKeyPage, parseKeyPageRequest } from './sort-key-pages.js';

const MAX_INTEGER = 2_147_483_647;

/** Describes a requested page of a list that is sorted by position, counted from 1. */
export interface PositionPageRequest {
  readonly limit: number;
  /** The position of the last item of the previous page. 0: the first page. */
  readonly after: number;
}

/**
 * Parses a page request.
 *
 * @param maxPosition the greatest value that the column of the positions can have. Default: that of an `integer`
 * @throws Problem 400 for an invalid cursor
 */
export function parsePositionPageRequest(query: PageQuery, maxPosition = MAX_INTEGER): PositionPageRequest {
  const { limit, after = '0' } = parseKeyPageRequest(query);
  const position = /^\d{1,16}$/.test(after) ? Number(after) : NaN;
  if (position <= maxPosition) return { limit, after: position };
  throw createFieldProblem(
    'cursor',
    `must be the next_cursor of the previous page, found ${JSON.stringify(query.cursor)}`,
  );
}

/** Builds a page of a list that is sorted by position. @param items at most one item more than the page limit */
export function buildPositionPage<Item extends { readonly position: number }>(
  items: readonly Item[],
  page: PositionPageRequest,
): Page<Item> {
  return buildKeyPage(items, page, ({ position }) => String(position));
}
