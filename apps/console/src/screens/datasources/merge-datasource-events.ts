import type { Datasource, DatasourceEvent } from '@quarry/client';

/** The filter of a list of datasources. */
export interface DatasourceFilter {
  readonly status?: Datasource['status'] | undefined;
  readonly type?: Datasource['type'] | undefined;
  /** Text that the name of the datasource contains, regardless of case. */
  readonly name?: string | undefined;
  /** Error code with which the latest run of the datasource failed. */
  readonly errorCode?: string | undefined;
}

/** The filter and the order of a list of datasources. */
export interface DatasourceQuery extends DatasourceFilter {
  /** `asc`: the oldest first. Absent: the newest first. */
  readonly order?: 'asc' | undefined;
}

interface Page {
  readonly items: readonly Datasource[];
  readonly next_cursor: string | null;
}

/** Returns true if a list with this filter contains the datasource. */
export function matchesDatasourceFilter({ status, type, name, error }: Datasource, filter: DatasourceFilter): boolean {
  if (filter.status !== undefined && status !== filter.status) return false;
  if (filter.type !== undefined && type !== filter.type) return false;
  if (filter.errorCode !== undefined && error?.code !== filter.errorCode) return false;
  return filter.name === undefined || name.toLowerCase().includes(filter.name.toLowerCase());
}

/** Returns `next` unless it is older than `before`. Responses and live events can arrive in any order. */
export function selectNewerDatasource(before: Datasource | undefined, next: Datasource): Datasource {
  return before !== undefined && next.updatedAt < before.updatedAt ? before : next;
}

/** The latest live event of each datasource, keyed by the id of the datasource. */
export type LatestEvents = ReadonlyMap<string, DatasourceEvent>;

/**
 * Returns the loaded pages of a list with the changes that the events report. New datasources are inserted at their
 * place in the order, unless this place is on a page that is not loaded. An unchanged page remains the same object, so
 * that it is not rendered again.
 */
export function mergeDatasourceEvents(
  pages: readonly Page[],
  events: LatestEvents,
  query: DatasourceQuery,
): readonly Page[] {
  const found = new Set<string>();
  const merged = pages.map((page) => {
    if (!page.items.some(({ id }) => events.has(id))) return page;
    const items = page.items.flatMap((item) => {
      const event = events.get(item.id);
      if (event === undefined) return [item];
      found.add(item.id);
      if (event.type === 'removed') return [];
      const next = selectNewerDatasource(item, event.datasource);
      return matchesDatasourceFilter(next, query) ? [next] : [];
    });
    return { ...page, items };
  });
  for (const event of events.values()) {
    if (event.type === 'removed' || found.has(event.datasource.id) || !matchesDatasourceFilter(event.datasource, query))
      continue;
    insertDatasourceIntoPages(merged, event.datasource, query.order);
  }
  return merged;
}

/** Inserts a datasource at its place in the order of age. A newer datasource has a greater id (UUID version 7). */
function insertDatasourceIntoPages(pages: Page[], datasource: Datasource, order: DatasourceQuery['order']): void {
  const isBefore = ({ id }: Datasource): boolean => (order === 'asc' ? datasource.id < id : datasource.id > id);
  const index = pages.findIndex(({ items, next_cursor: next }) => {
    const last = items.at(-1);
    return next === null || (last !== undefined && isBefore(last));
  });
  const page = pages[index];
  if (page === undefined) return;
  const position = page.items.findIndex(isBefore);
  pages[index] = {
    ...page,
    items: page.items.toSpliced(position === -1 ? page.items.length : position, 0, datasource),
  };
}
