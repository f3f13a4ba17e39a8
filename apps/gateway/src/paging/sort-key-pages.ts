import { DEFAULT_PAGE_SIZE, type Page, type PageQuery } from '@quarry/contracts';
import { createFieldProblem } from '../checks/field-problem.js';

/** Describes a requested page of a list that is sorted by a text key. */
export interface KeyPageRequest {
  readonly limit: number;
  /** The key of the last item of the previous page. Undefined: the first page. */
  readonly after: string | undefined;
}

/** Parses a page request. @throws Problem 400 for an invalid cursor */
export function parseKeyPageRequest(query: PageQuery): KeyPageRequest {
  return { limit: query.limit ?? DEFAULT_PAGE_SIZE, after: decodeSortKey(query.cursor) };
}

/** Builds a page of a list that is sorted by key. @param items at most one item more than the page limit */
export function buildKeyPage<Item>(
  items: readonly Item[],
  { limit }: Pick<KeyPageRequest, 'limit'>,
  keyOf: (item: Item) => string,
): Page<Item> {
  const shown = items.slice(0, limit);
  const last = items.length > limit ? shown.at(-1) : undefined;
  return { items: shown, next_cursor: last === undefined ? null : Buffer.from(keyOf(last)).toString('base64url') };
}

function decodeSortKey(cursor: string | undefined): string | undefined {
  if (cursor === undefined || cursor === '') return undefined;
  const key = Buffer.from(cursor, 'base64url').toString();
  // PostgreSQL cannot store NUL in a text, so no key contains it.
  if (!key.includes('\0') && Buffer.from(key).toString('base64url') === cursor) return key;
  throw createFieldProblem(
    'cursor',
    `must be the next_cursor of the previous page, found ${JSON.stringify(cursor.slice(0, 60))}`,
  );
}
