import { MatchQuery, type Table } from '@lancedb/lancedb';
import type { FragmentScope, ScoredFragment } from '@quarry/fragment-store';
import { termsOfQuery } from '@quarry/text-analysis';
import { scopeFilter } from './filters.js';
import { FRAGMENT_COLUMNS, numberOf, scoredFragment, type FoundRow } from './found-rows.js';

/**
 * The index looks into the partitions nearest to the question, which may hold little of a small scope: up to so many rows
 * every one is compared, in a few milliseconds.
 */
const COMPARED_ONE_BY_ONE = 5_000;

/** @param vectorIndexFrom from how many rows on the table may have an index of its vectors */
export async function searchDense(
  table: Table,
  scope: FragmentScope,
  vector: Float32Array,
  limit: number,
  vectorIndexFrom: number,
): Promise<readonly ScoredFragment[]> {
  const filter = scopeFilter(scope);
  if (filter === undefined || limit < 1) return [];
  const query = table.query().nearestTo(vector).distanceType('cosine').where(filter);
  if ((await table.countRows()) >= vectorIndexFrom && (await table.countRows(filter)) <= COMPARED_ONE_BY_ONE)
    query.bypassVectorIndex();
  // Selected, because otherwise each search writes a warning. The driver types its rows as any.
  const rows = (await query
    .select([...FRAGMENT_COLUMNS, '_distance'])
    .limit(limit)
    .toArray()) as FoundRow[];
  return rows.map((row) => scoredFragment(row, 1 - numberOf(row, '_distance')));
}

export async function searchLexical(
  table: Table,
  scope: FragmentScope,
  text: string,
  limit: number,
): Promise<readonly ScoredFragment[]> {
  const filter = scopeFilter(scope);
  const terms = termsOfQuery(text);
  if (filter === undefined || terms.length === 0 || limit < 1) return [];
  const match = new MatchQuery(terms.join(' '), 'terms');
  const query = table.query().fullTextSearch(match).where(filter);
  const rows = (await query
    .select([...FRAGMENT_COLUMNS, '_score'])
    .limit(limit)
    .toArray()) as FoundRow[];
  return rows.map((row) => scoredFragment(row, numberOf(row, '_score')));
}
