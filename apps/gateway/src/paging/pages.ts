import { DEFAULT_PAGE_SIZE, type Page, type PageQuery } from '@quarry/contracts';
import { isId } from '../database/id.js';
import { createFieldProblem } from '../checks/field-problem.js';

/** Describes a requested page of a list that is sorted by id, newest first. */
export interface PageRequest {
  readonly limit: number;
  /** The id of the last item of the previous page. Undefined: the first page. */
  readonly before: string | undefined;
}

/** Parses a page request. @throws Problem 400 for an invalid cursor */
export function parsePageRequest(query: PageQuery): PageRequest {
  return { limit: query.limit ?? DEFAULT_PAGE_SIZE, before: parseCursor(query.cursor) };
}

/** Builds a page of a list that is sorted by id. @param rows at most one row more than the page limit */
export function buildPage<Row, Item extends { readonly id: string }>(
  rows: readonly Row[],
  { limit }: PageRequest,
  toItem: (row: Row) => Item,
): Page<Item> {
  const items = rows.slice(0, limit).map(toItem);
  const last = rows.length > limit ? items.at(-1) : undefined;
  return { items, next_cursor: last === undefined ? null : formatCursor(last.id) };
}

/** Returns the cursor of the page after the item with this id. */
export function formatCursor(id: string): string {
  return Buffer.from(id).toString('base64url');
}

function parseCursor(cursor: string | undefined): string | undefined {
  if (cursor === undefined || cursor === '') return undefined;
  const id = Buffer.from(cursor, 'base64url').toString();
  if (isId(id)) return id;
  throw createFieldProblem(
    'cursor',
    `must be the next_cursor of the previous page, found ${JSON.stringify(cursor.slice(0, 60))}`,
  );
}
