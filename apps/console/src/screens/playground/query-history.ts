import { readPreference, writePreference } from '../../preferences/preferences.js';
import { parseSideSettings } from './side-settings.js';

/**
 * A query that was run in this browser. `a` and `b` are the settings of the two sides, in the format of
 * `formatSideSettings`. Without a second side, `b` is undefined.
 */
export interface PastQuery {
  readonly query: string;
  readonly a: string;
  readonly b: string | undefined;
}

const MAX_QUERIES = 20;

/** Reads the recent queries of this browser, newest first. */
export function readQueryHistory(): readonly PastQuery[] {
  return parseQueryHistory(readPreference('quarry.queries') ?? '[]');
}

/**
 * Selects the queries whose sides search only datastores with the given ids. Other queries may come from earlier users
 * of the browser, in other organizations.
 */
export function selectQueriesOfDatastores(
  history: readonly PastQuery[],
  datastoreIds: ReadonlySet<string>,
): readonly PastQuery[] {
  return history.filter(({ a, b }) =>
    [a, ...(b === undefined ? [] : [b])]
      .flatMap((side) => parseSideSettings(side).datastoreIds)
      .every((id) => datastoreIds.has(id)),
  );
}

/** Returns the history with a query added at its front, and stores the new history in the browser. */
export function addToQueryHistory(history: readonly PastQuery[], past: PastQuery): readonly PastQuery[] {
  const added = moveQueryToFront(history, past);
  writePreference('quarry.queries', JSON.stringify(added));
  return added;
}

/** Removes the stored queries from this browser. Returns an empty history. */
export function clearQueryHistory(): readonly PastQuery[] {
  writePreference('quarry.queries', undefined);
  return [];
}

/** Returns the history with a query at its front. An earlier entry with the same query and settings is removed. */
export function moveQueryToFront(history: readonly PastQuery[], past: PastQuery): readonly PastQuery[] {
  const others = history.filter(({ query, a, b }) => query !== past.query || a !== past.a || b !== past.b);
  return [past, ...others].slice(0, MAX_QUERIES);
}

/** Parses a stored history. Omits entries that are not valid. */
export function parseQueryHistory(text: string): readonly PastQuery[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value.flatMap(parsePastQuery).slice(0, MAX_QUERIES) : [];
  } catch {
    return [];
  }
}

function parsePastQuery(value: unknown): readonly PastQuery[] {
  if (typeof value !== 'object' || value === null || !('query' in value) || !('a' in value)) return [];
  const { query, a } = value;
  if (typeof query !== 'string' || typeof a !== 'string') return [];
  return [{ query, a, b: 'b' in value && typeof value.b === 'string' ? value.b : undefined }];
}
