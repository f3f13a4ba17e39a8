import { Describe, IntegerFromText, IsIn, IsOptional, IsString } from '@quarry/validation';
import type { JsonSchema, Shape } from '@quarry/validation';
import type { Schema } from '../../../http/responses.js';
import type { IdWindow, WindowRows } from '../../../paging/id-window.js';
import { parseIdField, type PrefixedKind } from './resource-ids.js';

export const ORDERS = ['asc', 'desc'] as const;

/** Describes the order of a list, and the item after which a page of the list starts. */
export class CursorQuery {
  @Describe('By creation. Default: `desc`, newest first.')
  @IsOptional()
  @IsIn(ORDERS)
  readonly order?: (typeof ORDERS)[number];

  @Describe('The last id of the previous page.')
  @IsOptional()
  @IsString()
  readonly after?: string;
}

/** Describes the parameters of a list that clients read page by page. */
export class PageQuery extends CursorQuery {
  @Describe('Number of items. Default: 20.')
  @IsOptional()
  @IntegerFromText({ min: 1, max: 100 })
  readonly limit?: number;
}

/** Describes the parameters of a list that clients read in both directions. Source: `GET /vector_stores` of openai/openai-openapi. */
export class WindowQuery extends PageQuery {
  @Describe('The first id of the next page.')
  @IsOptional()
  @IsString()
  readonly before?: string;
}

const DEFAULT_LIMIT = 20;

/** Parses the parameters of a list. @param kind the kind of the listed resources @throws Problem 400 for an invalid id */
export function parseListWindow(kind: PrefixedKind, query: WindowQuery): IdWindow {
  const parseCursor = (path: 'after' | 'before') => {
    const text = query[path];
    return text === undefined || text === '' ? undefined : parseIdField(kind, path, text);
  };
  return {
    limit: query.limit ?? DEFAULT_LIMIT,
    order: query.order ?? 'desc',
    after: parseCursor('after'),
    before: parseCursor('before'),
  };
}

/** A page of a list. */
export interface ListPage<Item> {
  readonly object: 'list';
  readonly data: readonly Item[];
  readonly first_id: string | null;
  readonly last_id: string | null;
  readonly has_more: boolean;
}

/** Builds a page of a list from database rows. */
export function buildListPage<Row, Item extends { readonly id: string }>(
  { rows, hasMore }: WindowRows<Row>,
  toItem: (row: Row) => Item,
): ListPage<Item> {
  const data = rows.map(toItem);
  return {
    object: 'list',
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: hasMore,
  };
}

/** Creates the schema of a page of a list. */
export function createListPageSchema<Item extends object>(shape: Shape<Item>): Schema<ListPage<Item>> {
  const idOrNull: JsonSchema = { type: ['string', 'null'], description: 'Null for an empty page.' };
  return {
    schema: (refTo) => ({
      type: 'object',
      properties: {
        object: { type: 'string', enum: ['list'] },
        data: { type: 'array', items: refTo(shape) },
        first_id: idOrNull,
        last_id: idOrNull,
        has_more: { type: 'boolean' },
      },
      required: ['object', 'data', 'first_id', 'last_id', 'has_more'],
    }),
  };
}
