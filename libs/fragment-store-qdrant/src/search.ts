import type { FragmentScope, ScoredFragment } from '@quarry/fragment-store';
import type { Schemas } from '@qdrant/js-client-rest';
import type { CollectionNames } from './collections.js';
import type { QdrantConnection } from './connection.js';
import { documentRecords } from './document-record.js';
import { isOneOf, scopeFilter, type Filter } from './filters.js';
import { FRAGMENT_FIELDS, foundFragment, type FoundFragment } from './found-fragment.js';

/** More than one where outdated fragments took the places of others, or where the server takes longer than the grace. */
const MAX_ATTEMPTS = 6;

/** Each attempt asks for so many times as many fragments as the one before. */
const WIDENING = 4;

export type Question = Pick<Schemas['QueryRequest'], 'query' | 'using' | 'params'>;

interface Look {
  readonly found: readonly FoundFragment[];
  /** There may be more that match. */
  readonly isFull: boolean;
}

/** Where is looked, and for what. */
export interface Search {
  readonly connection: QdrantConnection;
  readonly names: CollectionNames;
  readonly scope: FragmentScope;
  readonly question: Question;
  readonly limit: number;
  /** How long a version stays there after it was replaced, at least, in milliseconds. */
  readonly grace: number;
}

/**
 * The fragments that match, best first, of every document one version, whole.
 *
 * The server shows a change of many points bit by bit, while it is being asked. So what it finds is held against the
 * documents' records, which are read after it. Whatever was current when a look began is there until it ends, which takes
 * less than the grace: no document is missed. If the record names the same commit and is settled, that commit was current
 * when the look began, and all of it was found. For the others the commits that the records name are looked for by
 * themselves: they are complete, and stay so for the grace.
 */
export async function search(search: Search): Promise<readonly ScoredFragment[]> {
  const filter = scopeFilter(search.scope);
  if (filter === undefined || search.limit < 1) return [];
  const outdated = new Set<string>();
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const places = search.limit * WIDENING ** attempt;
    const found = await attemptSearch(search, filter, outdated, places);
    if (found !== undefined) return best(found, search.limit);
  }
  throw new Error(
    `a search of ${search.names.fragments} is to end within ${String(search.grace)} ms and find current fragments, ` +
      `found neither in ${String(MAX_ATTEMPTS)} attempts`,
  );
}

/**
 * @param outdated commits to be left out; those that are found to be outdated are added
 * @returns undefined where fragments may be missing
 */
async function attemptSearch(
  search: Search,
  inScope: Filter,
  outdated: Set<string>,
  places: number,
): Promise<readonly FoundFragment[] | undefined> {
  const began = performance.now();
  const filter = outdated.size === 0 ? inScope : { must: [inScope], must_not: [isOneOf('commit', [...outdated])] };
  const { found, isFull } = await look(search, filter, places);
  const { connection, names, limit, grace } = search;
  const ids = new Set(found.map(({ documentId }) => documentId));
  const records = await documentRecords(connection, names.documents, [...ids]);
  if (performance.now() - began >= grace) return undefined;

  const sure = found.filter(({ documentId, commit }) => {
    const record = records.get(documentId);
    return record?.isSettled === true && record.commit === commit;
  });
  const current = new Set([...records.values()].map(({ commit }) => commit));
  const others = found.filter(({ commit }) => !current.has(commit));
  for (const { commit } of others) outdated.add(commit);
  // What was found too early by the attempt before may be current by now.
  for (const commit of current) outdated.delete(commit);
  // Outdated fragments took the places of others, of whatever document.
  if (isFull && (others.length > 0 || found.length < places)) return undefined;

  const unsure = [...records.values()].filter(({ isSettled }) => !isSettled).map(({ commit }) => commit);
  if (unsure.length === 0) return sure;
  const complete = await look(search, { must: [inScope, isOneOf('commit', unsure)] }, limit);
  return performance.now() - began >= grace ? undefined : [...sure, ...complete.found];
}

/**
 * The payload is read by itself. If it were asked for with the search, the server would read it after the search too, and
 * leave out in silence what was deleted in between: a full result would look as if there were no more.
 */
async function look(search: Search, filter: Filter, places: number): Promise<Look> {
  const { connection, names, question } = search;
  const result = await connection.askIfThere(`search ${names.fragments}`, (client) =>
    client.query(names.fragments, { ...question, filter, limit: places, with_payload: false }),
  );
  const scores = new Map(result?.points.map(({ id, score }) => [id, score]));
  if (scores.size === 0) return { found: [], isFull: false };
  const points = await connection.ask(`read fragments of ${names.fragments}`, (client) =>
    client.retrieve(names.fragments, { ids: [...scores.keys()], with_payload: FRAGMENT_FIELDS, with_vector: false }),
  );
  const found = points.map(({ id, payload }) => foundFragment(payload ?? {}, scores.get(id) ?? 0));
  return { found, isFull: scores.size >= places };
}

function best(found: readonly FoundFragment[], limit: number): readonly ScoredFragment[] {
  const fragments = found.map(({ fragment }) => fragment);
  return fragments.sort((a, b) => b.score - a.score).slice(0, limit);
}
