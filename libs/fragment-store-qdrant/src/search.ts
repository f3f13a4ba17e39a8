import {
  computeDocumentId,
  decodeDocumentProfile,
  MIN_COMPARED_FRAGMENTS,
  rankByDocuments,
  type DocumentProfile,
  type FragmentScope,
  type ScoredFragment,
} from '@quarry/fragment-store';
import type { Schemas } from '@qdrant/js-client-rest';
import type { TenantCollections } from './collections.js';
import type { QdrantConnection } from './qdrant-connection.js';
import { readDocumentRecords } from './document-record.js';
import { buildInCondition, buildScopeFilter, type Filter } from './filters.js';
import { buildMetadataFilter } from './metadata-payload.js';
import { FRAGMENT_FIELDS, parseFoundFragment, type FoundFragment } from './parse-found-fragment.js';

/**
 * Maximum number of attempts of a search. The search starts another attempt if outdated fragments displaced current
 * ones from the results, or if an attempt took longer than the grace time.
 */
const MAX_ATTEMPTS = 6;

/** Factor by which each attempt increases the number of requested fragments, up to `MAX_REQUESTED_FRAGMENTS`. */
const WIDENING = 4;

/** Maximum number of fragments that an attempt requests, unless the limit of the search is higher. */
const MAX_REQUESTED_FRAGMENTS = 2_000;

/**
 * Query parameters that compare the original vector of every point that matches the filter, without the vector index.
 */
const EXACT_SEARCH = { exact: true, quantization: { ignore: true } };

type PointId = Schemas['ExtendedPointId'];

export type Question = Pick<Schemas['QueryRequest'], 'query' | 'using' | 'params'>;

interface Page {
  readonly found: readonly FoundFragment[];
  /** Lowest score in `found`. Further matches may have lower scores. Undefined if `found` contains all matches. */
  readonly lowest: number | undefined;
}

/** Describes a search: its collection, scope and query. */
export interface Search {
  readonly connection: QdrantConnection;
  readonly names: TenantCollections;
  readonly scope: FragmentScope;
  readonly question: Question;
  /**
   * Holds the weighted query terms of a lexical search, whose results are also ranked by their documents. Absent for a
   * dense search.
   */
  readonly terms?: ReadonlyMap<string, number>;
  /** Dense vector to which the results of a lexical search are compared. Absent: the results have no similarities. */
  readonly compared?: readonly number[] | undefined;
  readonly limit: number;
  /** Minimum time for which replaced fragments are retained, in milliseconds. */
  readonly graceMs: number;
}

/** Lists the commits whose fragments a search must not return. */
interface FilteredCommits {
  /** Lists the commits of documents that the scope excludes. */
  readonly hidden: ReadonlySet<string>;
  /** Lists the commits that earlier attempts of the same search found to be outdated. */
  readonly outdated: Set<string>;
}

interface Outcome {
  readonly fragments: readonly FoundFragment[];
  /** Maps commits to the encoded profiles of their documents. */
  readonly profiles: ReadonlyMap<string, string>;
  /** True if `fragments` contains the best `limit` current fragments. */
  readonly isComplete: boolean;
}

/**
 * Returns the fragments that match a query, best first. The results of a lexical search are also ranked by their
 * documents.
 *
 * @throws Error if every attempt takes longer than the grace time
 */
export async function searchFragments(search: Search): Promise<readonly ScoredFragment[]> {
  const { terms, limit } = search;
  if (limit < 1) return [];
  if (terms === undefined) return selectBestFragments((await findFragments(search)).fragments, limit);
  const compared = Math.max(limit, MIN_COMPARED_FRAGMENTS);
  const { fragments, profiles } = await findFragments({ ...search, limit: compared });
  const decoded = new Map(Array.from(profiles, ([commit, profile]) => [commit, decodeDocumentProfile(profile)]));
  const getProfile = ({ version }: ScoredFragment): DocumentProfile | undefined => decoded.get(version);
  return rankByDocuments(selectBestFragments(fragments, compared), terms, getProfile).slice(0, limit);
}

/**
 * Finds the fragments that match a query, from one complete version of each document.
 *
 * The server applies a change of many points step by step, even during a query. So the records of the found documents
 * are read after the query. Replaced fragments are retained for the grace time, and a slower query is discarded. So
 * fragments that were current when the query began exist until it ends. A record is settled when the fragments that it
 * replaced have been deleted. If a settled record names the commit of a found fragment, the commit was current when the
 * query began. All of its matching fragments were then found. The commits of other records are queried separately.
 *
 * While documents are replaced, outdated fragments may displace current ones. The query is then repeated without the
 * outdated commits until `limit` current fragments remain. If documents are replaced too fast for this, the best
 * fragments of the last attempt are returned: all are current, and none is duplicated.
 *
 * @throws Error if every attempt takes longer than the grace time
 */
async function findFragments(search: Search): Promise<Pick<Outcome, 'fragments' | 'profiles'>> {
  const filter = buildFullScopeFilter(search.scope);
  if (filter === undefined) return { fragments: [], profiles: new Map() };
  const filtered: FilteredCommits = { hidden: await readHiddenCommits(search), outdated: new Set() };
  let latest: Outcome | undefined;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const maxFragments = Math.max(search.limit, Math.min(search.limit * WIDENING ** attempt, MAX_REQUESTED_FRAGMENTS));
    latest = (await attemptSearch(search, filter, filtered, maxFragments)) ?? latest;
    if (latest?.isComplete === true) break;
  }
  if (latest !== undefined) return latest;
  throw new Error(
    `expected a search of collection ${search.names.fragments} to end within ${String(search.graceMs)} ms, found ` +
      `that each of ${String(MAX_ATTEMPTS)} attempts took longer: add processors or memory to the Qdrant server`,
  );
}

/** Returns the Qdrant filter that selects the fragments of a scope, or undefined if the scope matches nothing. */
function buildFullScopeFilter(scope: FragmentScope): Filter | undefined {
  const filter = buildScopeFilter(scope);
  if (filter === undefined || scope.metadata === undefined) return filter;
  return { must: [filter, buildMetadataFilter(scope.metadata)] };
}

/**
 * Returns the current commits of the documents that the scope excludes. A version of a document that is newer than the
 * excluded one has another commit and stays visible.
 */
async function readHiddenCommits({ connection, names, scope }: Search): Promise<ReadonlySet<string>> {
  const { organizationId, excluded } = scope;
  const upTo = new Map(excluded?.documents.map((one) => [computeDocumentId({ organizationId, ...one }), one.upTo]));
  const records = await readDocumentRecords(connection, names.documents, [...upTo.keys()]);
  const hidden = [...records].filter(([id, { generation }]) => generation <= (upTo.get(id) ?? 0));
  return new Set(hidden.map(([, { commit }]) => commit));
}

/**
 * Runs one attempt of a search.
 *
 * @returns undefined if the attempt took longer than the grace time, because replaced fragments may have been deleted
 * meanwhile
 */
async function attemptSearch(
  search: Search,
  inScope: Filter,
  { hidden, outdated }: FilteredCommits,
  maxFragments: number,
): Promise<Outcome | undefined> {
  const began = performance.now();
  const commits = [...hidden, ...outdated];
  const filter = commits.length === 0 ? inScope : { must: [inScope], must_not: [buildInCondition('commit', commits)] };
  const { found, lowest } = await queryFragments(search, filter, maxFragments);
  const { connection, names, terms, limit, graceMs } = search;
  const ids = new Set(found.map(({ documentId }) => documentId));
  const parts = terms === undefined ? 'without profile' : 'all';
  const records = await readDocumentRecords(connection, names.documents, [...ids], parts);
  if (performance.now() - began >= graceMs) return undefined;

  const sure = found.filter(({ documentId, commit }) => {
    const record = records.get(documentId);
    return record?.isSettled === true && record.commit === commit;
  });
  const current = new Set([...records.values()].map(({ commit }) => commit));
  for (const { commit } of found) if (!current.has(commit)) outdated.add(commit);
  // A commit that an earlier attempt listed as outdated, because it was not current yet, may be current now.
  for (const commit of current) outdated.delete(commit);

  const unsettled = [...records.values()].filter(({ isSettled }) => !isSettled);
  const uncertain = unsettled.map(({ commit }) => commit).filter((commit) => !hidden.has(commit));
  const again =
    uncertain.length === 0
      ? []
      : (await queryFragments(search, { must: [inScope, buildInCondition('commit', uncertain)] }, limit)).found;
  if (performance.now() - began >= graceMs) return undefined;
  const fragments = [...sure, ...again];
  const certain = fragments.filter(({ fragment }) => lowest === undefined || fragment.score >= lowest);
  const profiles = new Map(
    [...records.values()].flatMap(({ commit, profile }) => (profile === null ? [] : [[commit, profile] as const])),
  );
  return { fragments, profiles, isComplete: lowest === undefined || certain.length >= limit };
}

/**
 * Queries the ids of fragments, and then reads their payload in a separate request. If the query requested the payload,
 * the server would silently omit points that are deleted during the query. The number of results would then not show
 * whether there are further matches.
 */
async function queryFragments(search: Search, filter: Filter, maxFragments: number): Promise<Page> {
  const { connection, names, question } = search;
  const result = await connection.sendToExistingCollection(`search ${names.fragments}`, (client) =>
    client.query(names.fragments, { ...question, ...names.shard, filter, limit: maxFragments, with_payload: false }),
  );
  const scores = new Map(result?.points.map(({ id, score }) => [id, score]));
  if (scores.size === 0) return { found: [], lowest: undefined };
  const ids = [...scores.keys()];
  const [points, similarities] = await Promise.all([
    connection.sendRequest(`read fragments of ${names.fragments}`, (client) =>
      client.retrieve(names.fragments, { ...names.shard, ids, with_payload: FRAGMENT_FIELDS, with_vector: false }),
    ),
    measureSimilarities(search, ids),
  ]);
  const found = points.map(({ id, payload }) => {
    const similarity = similarities.get(id);
    return parseFoundFragment(payload ?? {}, {
      score: scores.get(id) ?? 0,
      ...(similarity !== undefined && { similarity }),
    });
  });
  return { found, lowest: scores.size < maxFragments ? undefined : Math.min(...scores.values()) };
}

/** Returns the cosine similarities of points to the dense vector of a lexical search, keyed by point id. */
async function measureSimilarities(
  { connection, names, compared }: Search,
  ids: PointId[],
): Promise<ReadonlyMap<PointId, number>> {
  if (compared === undefined) return new Map();
  const result = await connection.sendRequest(`compare fragments of ${names.fragments}`, (client) =>
    client.query(names.fragments, {
      ...{ query: [...compared], using: 'dense', params: EXACT_SEARCH },
      ...{ ...names.shard, filter: { must: [{ has_id: ids }] }, limit: ids.length, with_payload: false },
    }),
  );
  return new Map(result.points.map(({ id, score }) => [id, score]));
}

function selectBestFragments(found: readonly FoundFragment[], limit: number): readonly ScoredFragment[] {
  const fragments = found.map(({ fragment }) => fragment);
  return fragments.sort((a, b) => b.score - a.score).slice(0, limit);
}
