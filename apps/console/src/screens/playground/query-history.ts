import { readPreference, writePreference } from '../../preferences/preferences.js';

/**
 * A query that was run in this browser. `a` and `b` are the settings of the two sides, in the format of the address.
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

/** Adds a query as the newest one, and stores the history. */
export function addToQueryHistory(history: readonly PastQuery[], past: PastQuery): readonly PastQuery[] {
  const added = moveQueryToFront(history, past);
  writePreference('quarry.queries', JSON.stringify(added));
  return added;
}

/** Removes all queries from this browser. */
export function clearQueryHistory(): readonly PastQuery[] {
  writePreference('quarry.queries', undefined);
  return [];
}

/** Returns the history with a query as its newest one. The same query is not listed twice. */
export function moveQueryToFront(history: readonly PastQuery[], past: PastQuery): readonly PastQuery[] {
  const others = history.filter(({ query, a, b }) => query !== past.query || a !== past.a || b !== past.b);
  return [past, ...others].slice(0, MAX_QUERIES);
}

/** Parses a stored history. Entries that cannot be read are omitted. */
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
