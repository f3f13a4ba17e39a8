import { MatchQuery, type Table } from '@lancedb/lancedb';
import { documentId, type FragmentScope, type ScoredFragment } from '@quarry/fragment-store';
import { WEIGHT_STEP, weightedTermsOfQuery } from '@quarry/text-analysis';
import { both, isOneOf, scopeFilter } from './filters.js';
import { FRAGMENT_COLUMNS, numberOf, scoredFragment, type FoundRow } from './found-rows.js';
import { storedDocuments } from './stored-documents.js';

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
  const filter = await visibleRows(table, scope);
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
  const filter = await visibleRows(table, scope);
  const terms = weightedTermsOfQuery(text);
  if (filter === undefined || terms.size === 0 || limit < 1) return [];
  const { words, unit } = repeatByWeight(terms);
  const query = table.query().fullTextSearch(new MatchQuery(words, 'terms')).where(filter);
  const rows = (await query
    .select([...FRAGMENT_COLUMNS, '_score'])
    .limit(limit)
    .toArray()) as FoundRow[];
  return rows.map((row) => scoredFragment(row, unit * numberOf(row, '_score')));
}

/**
 * Returns words to match, each as often as it weighs units: BM25 adds up a word that is repeated, while a query of its own for
 * each weight takes twice the time.
 */
function repeatByWeight(terms: ReadonlyMap<string, number>): { readonly words: string; readonly unit: number } {
  const unit = [...terms.values()].every((weight) => Number.isInteger(weight)) ? 1 : WEIGHT_STEP;
  const words = Array.from(terms).flatMap(([term, weight]) => Array<string>(Math.round(weight / unit)).fill(term));
  return { words: words.join(' '), unit };
}

/** Returns the filter of what a search may see, or undefined where it can see nothing. */
async function visibleRows(table: Table, scope: FragmentScope): Promise<string | undefined> {
  const filter = scopeFilter(scope);
  const { organizationId, excluded } = scope;
  if (filter === undefined || excluded === undefined || excluded.documents.length === 0) return filter;
  const upTo = new Map(excluded.documents.map((one) => [documentId({ organizationId, ...one }), one.upTo]));
  const stored = await storedDocuments(table, [...upTo.keys()]);
  const hidden = [...stored].filter(([id, { generation }]) => generation <= (upTo.get(id) ?? 0));
  if (hidden.length === 0) return filter;
  // The content, not the generation: a confirmation raises that in the first row alone. A newer content is not hidden.
  const ids = hidden.map(([id]) => id);
  const contents = hidden.map(([, { contentHash }]) => contentHash);
  return both(filter, `NOT (${both(isOneOf('document_id', ids), isOneOf('content_hash', contents))})`);
}
