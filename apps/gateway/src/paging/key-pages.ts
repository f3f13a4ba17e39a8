import { DEFAULT_PAGE_SIZE, type Page, type PageQuery } from '@quarry/contracts';
import { invalid } from '../checks/invalid.js';

/** A part of a list that is ordered by a text of its items. */
export interface KeyPageRequest {
  readonly limit: number;
  /** Only what comes after it. */
  readonly after: string | undefined;
}

/** @throws Problem 400 for a cursor that no page has given */
export function keyPageRequest(query: PageQuery): KeyPageRequest {
  return { limit: query.limit ?? DEFAULT_PAGE_SIZE, after: readCursor(query.cursor) };
}

/** @param items one more than asked for, when there is more */
export function toKeyPage<Item>(
  items: readonly Item[],
  { limit }: KeyPageRequest,
  keyOf: (item: Item) => string,
): Page<Item> {
  const some = items.slice(0, limit);
  const last = items.length > limit ? some.at(-1) : undefined;
  return { items: some, next_cursor: last === undefined ? null : Buffer.from(keyOf(last)).toString('base64url') };
}

function readCursor(cursor: string | undefined): string | undefined {
  if (cursor === undefined || cursor === '') return undefined;
  const key = Buffer.from(cursor, 'base64url').toString();
  // PostgreSQL keeps no NUL, so no key has one.
  if (!key.includes('\0') && Buffer.from(key).toString('base64url') === cursor) return key;
  throw invalid('cursor', `must be the next_cursor of the page before, found ${JSON.stringify(cursor.slice(0, 60))}`);
}
