import { MatchQuery, type Table } from '@lancedb/lancedb';
import {
  computeCosine,
  computeDocumentId,
  normalizeByReferenceLength,
  createProfileOfTerms,
  MIN_COMPARED_FRAGMENTS,
  rankByDocuments,
  TermCounter,
  type DocumentProfile,
  type FragmentScope,
  type ScoredFragment,
  type TermOccurrences,
} from '@quarry/fragment-store';
import { WEIGHT_STEP, weighQueryTerms } from '@quarry/text-analysis';
import { joinConditions, buildInCondition, buildScopeFilter } from './filters.js';
import {
  buildFragmentSelection,
  fetchRows,
  getFragment,
  getNumberColumn,
  getTextColumn,
  getVectorColumn,
} from './found-rows.js';
import { areMostEntriesIndexed } from './entries-index.js';
import type { FragmentOfDocument } from './fragment-column.js';
import { buildMetadataCondition } from './metadata-column.js';
import type { ProfileCache } from './profile-cache.js';
import { readStoredDocuments } from './stored-documents.js';
import { hasColumn } from './table-columns.js';
import { configureIndexedSearch } from './vector-index.js';

/**
 * Maximum number of rows in a scope whose vectors a search compares one by one, without the vector index. The
 * comparisons take a few milliseconds. In so small a scope, a search of the index would compare most partitions.
 */
const MAX_EXACT_SEARCH_ROWS = 5_000;

interface DenseSearch {
  readonly vector: Float32Array;
  readonly limit: number;
  /** Minimum number of rows of a table that may have a vector index. */
  readonly vectorIndexFrom: number;
}

/** Finds the fragments whose vectors are nearest to `vector`. */
export async function searchDense(
  table: Table,
  scope: FragmentScope,
  { vector, limit, vectorIndexFrom }: DenseSearch,
): Promise<readonly ScoredFragment[]> {
  const filter = await buildVisibilityFilter(table, scope);
  if (filter === undefined || limit < 1) return [];
  const query = table.query().nearestTo(vector).distanceType('cosine').where(filter);
  const count = await table.countRows();
  if (count >= vectorIndexFrom) {
    const matching = await table.countRows(filter);
    if (matching <= MAX_EXACT_SEARCH_ROWS) query.bypassVectorIndex();
    else configureIndexedSearch(query, count, matching);
  }
  // `_distance` is selected explicitly, because otherwise the driver logs a warning for each search.
  const selection = await buildFragmentSelection(table, ['_distance']);
  const rows = await fetchRows(query.select(selection).limit(limit));
  return rows.map((row) => ({ ...getFragment(row).fragment, score: 1 - getNumberColumn(row, '_distance') }));
}

interface LexicalSearch {
  readonly text: string;
  /** Lists the languages of the scope's documents as ISO 639-1 codes. */
  readonly languages: readonly string[];
  /**
   * Vector of the query, with which the similarities of the found fragments are computed. Undefined: no similarities.
   */
  readonly vector: Float32Array | undefined;
  readonly limit: number;
  readonly profiles: ProfileCache;
}

/**
 * Finds the fragments that share words with a text. Ranks the fragments by their scores and by how well their documents
 * match.
 */
export async function searchLexical(
  table: Table,
  scope: FragmentScope,
  { text, languages, vector, limit, profiles }: LexicalSearch,
): Promise<readonly ScoredFragment[]> {
  const filter = await buildVisibilityFilter(table, scope);
  const terms = weighQueryTerms(text, languages);
  if (filter === undefined || terms.size === 0 || limit < 1) return [];
  const { words, unit } = repeatTermsByWeight(terms);
  const query = table.query().fullTextSearch(new MatchQuery(words, 'terms')).where(filter);
  const vectorColumn = vector === undefined ? [] : ['vector'];
  const selection = await buildFragmentSelection(table, ['terms', '_score', ...vectorColumn]);
  const rows = await fetchRows(query.select(selection).limit(Math.max(limit, MIN_COMPARED_FRAGMENTS)));
  const counter = new TermCounter(terms);
  const found = rows.map((row) => ({
    ...getFragment(row),
    ...(vector && { similarity: computeCosine(vector, getVectorColumn(row, 'vector')) }),
    score: unit * getNumberColumn(row, '_score'),
    occurrences: counter.countOccurrences(getTextColumn(row, 'terms')),
  }));
  const scores = normalizeByReferenceLength(found, terms);
  const profileOf = await findProfilesOfFragments(table, profiles, found);
  const fragments = found.map(({ fragment, similarity }, at) => ({
    ...fragment,
    score: scores[at] ?? 0,
    ...(similarity !== undefined && { similarity }),
  }));
  return rankByDocuments(fragments, terms, ({ id }) => profileOf.get(id)).slice(0, limit);
}

interface CountedFragment extends FragmentOfDocument {
  readonly occurrences: TermOccurrences;
}

/**
 * Returns the profiles of the documents of found fragments, keyed by fragment id. For a document with a single
 * fragment, computes the profile from the terms of the fragment instead of reading it: catalogues have many such
 * documents.
 */
async function findProfilesOfFragments(
  table: Table,
  cache: ProfileCache,
  found: readonly CountedFragment[],
): Promise<ReadonlyMap<string, DocumentProfile | undefined>> {
  const isAlone = ({ documentFragments }: CountedFragment): boolean => documentFragments === 1;
  const others = found.filter((one) => !isAlone(one));
  const profiles = await cache.findProfiles(
    table,
    others.map(({ documentId, fragment }) => ({ documentId, contentHash: fragment.version })),
  );
  return new Map([
    ...others.map(({ fragment }, at) => [fragment.id, profiles[at]] as const),
    ...found
      .filter(isAlone)
      .map(({ fragment, occurrences }) => [fragment.id, createProfileOfTerms(occurrences.counts.keys())] as const),
  ]);
}

/**
 * Builds the text of a full-text query in which each term occurs in proportion to its weight. A term with twice the
 * occurrences adds twice as much to a score. A single query thus weighs all terms, while a query for each weight would
 * take twice the time.
 *
 * @returns `words`: the text, with as few occurrences as possible; `unit`: the weight of one occurrence, by which
 * scores must be multiplied
 */
function repeatTermsByWeight(terms: ReadonlyMap<string, number>): { readonly words: string; readonly unit: number } {
  const isDivisor = (unit: number): boolean => Array.from(terms.values()).every((weight) => weight % unit === 0);
  const unit = [1, 2 * WEIGHT_STEP].find(isDivisor) ?? WEIGHT_STEP;
  const words = Array.from(terms).flatMap(([term, weight]) => Array<string>(Math.round(weight / unit)).fill(term));
  return { words: words.join(' '), unit };
}

/**
 * Returns a filter that selects the rows of a scope, but no rows of documents that the scope excludes. Returns
 * undefined if the scope matches nothing.
 */
async function buildVisibilityFilter(table: Table, scope: FragmentScope): Promise<string | undefined> {
  const filter = await buildFullScopeFilter(table, scope);
  const { organizationId, excluded } = scope;
  if (filter === undefined || excluded === undefined || excluded.documents.length === 0) return filter;
  const upTo = new Map(excluded.documents.map((one) => [computeDocumentId({ organizationId, ...one }), one.upTo]));
  const stored = await readStoredDocuments(table, [...upTo.keys()]);
  const hidden = [...stored].filter(([id, { generation }]) => generation <= (upTo.get(id) ?? 0));
  if (hidden.length === 0) return filter;
  // Excludes rows by content hash and not by generation, because a confirmation raises the generation of the first row
  // only. Newer content has another hash and stays visible.
  const ids = hidden.map(([id]) => id);
  const contents = hidden.map(([, { contentHash }]) => contentHash);
  return joinConditions(
    filter,
    `NOT (${joinConditions(buildInCondition('document_id', ids), buildInCondition('content_hash', contents))})`,
  );
}

/** Returns the filter of a scope, including its metadata filter. Returns undefined if the scope matches nothing. */
async function buildFullScopeFilter(table: Table, scope: FragmentScope): Promise<string | undefined> {
  const filter = buildScopeFilter(scope);
  if (filter === undefined || scope.metadata === undefined) return filter;
  const text = (await hasColumn(table, 'metadata')) ? "coalesce(metadata, '')" : "''";
  const entries = (await areMostEntriesIndexed(table)) ? 'entries' : undefined;
  return joinConditions(filter, buildMetadataCondition(scope.metadata, { text, entries }));
}
