import { and, asc, desc, gt, lt, type SQL, type SQLWrapper } from 'drizzle-orm';

/** Selects a part of a list that is sorted by id. The lists of the OpenAI-compatible API are read in such parts. */
export interface IdWindow {
  readonly limit: number;
  readonly order: 'asc' | 'desc';
  /**
   * The window begins directly after this id. The item with this id may have been removed. Undefined: the window begins
   * at the start of the list, unless `before` is given.
   */
  readonly after: string | undefined;
  /**
   * The window contains only items before this id. If `after` is undefined, it consists of the last `limit` items
   * before this id. Undefined: the window can extend to the end of the list.
   */
  readonly before: string | undefined;
}

/** Contains the rows of a window, in the order of the list. */
export interface WindowRows<Row> {
  readonly rows: readonly Row[];
  /**
   * True if `limit` excluded further items: items before the first row if only `before` is given, otherwise items after
   * the last row.
   */
  readonly hasMore: boolean;
}

/**
 * Builds the SQL condition and the sort order with which a statement selects the rows of a window. The statement must
 * read at most `limit + 1` rows.
 */
export function buildWindowQuery(
  id: SQLWrapper,
  window: IdWindow,
): { readonly where: SQL | undefined; readonly by: SQL } {
  const { order, after, before } = window;
  const [isBehind, isInFront] = order === 'asc' ? [gt, lt] : [lt, gt];
  const isAscending = (order === 'asc') !== isReadBackwards(window);
  return {
    where: and(
      after === undefined ? undefined : isBehind(id, after),
      before === undefined ? undefined : isInFront(id, before),
    ),
    by: isAscending ? asc(id) : desc(id),
  };
}

/**
 * Builds the rows of a window from the rows that `buildWindowQuery` selected: in the order of the list, without the row
 * beyond the limit.
 *
 * @param rows at most one row more than the limit
 */
export function buildWindowRows<Row>(rows: readonly Row[], window: IdWindow): WindowRows<Row> {
  const shown = rows.slice(0, window.limit);
  return { rows: isReadBackwards(window) ? shown.toReversed() : shown, hasMore: rows.length > window.limit };
}

/** Returns true if the rows of a window are selected from its end to its beginning. */
function isReadBackwards({ after, before }: IdWindow): boolean {
  return before !== undefined && after === undefined;
}
