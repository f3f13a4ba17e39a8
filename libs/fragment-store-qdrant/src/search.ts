import { documentId, type FragmentScope, type ScoredFragment } from '@quarry/fragment-store';
import type { Schemas } from '@qdrant/js-client-rest';
import type { CollectionNames } from './collections.js';
import type { QdrantConnection } from './connection.js';
import { documentRecords } from './document-record.js';
import { isOneOf, scopeFilter, type Filter } from './filters.js';
import { FRAGMENT_FIELDS, foundFragment, type FoundFragment } from './found-fragment.js';

/** More than one where outdated fragments took the places of others, or where the server takes longer than the grace. */
const MAX_ATTEMPTS = 6;

/** Each attempt asks for so many times as many fragments as the one before, until it asks for `MAX_PLACES`. */
const WIDENING = 4;

/** A search that is asked for more results asks for as many fragments as that. */
const MAX_PLACES = 2_000;

export type Question = Pick<Schemas['QueryRequest'], 'query' | 'using' | 'params'>;

interface Look {
  readonly found: readonly FoundFragment[];
  /** There may be more that match, with lower scores than this; undefined where all that match were found. */
  readonly lowest: number | undefined;
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

/** Commits whose fragments are left out. */
interface LeftOut {
  /** Of documents that the scope excludes. */
  readonly hidden: ReadonlySet<string>;
  /** Found to be outdated by an earlier attempt. */
  readonly outdated: Set<string>;
}

interface Outcome {
  readonly fragments: readonly FoundFragment[];
  /** No current fragment that is missing belongs among the best. */
  readonly isComplete: boolean;
}

/**
 * Finds the fragments that match, best first, of every document one version, whole.
 *
 * The server shows a change of many points bit by bit, while it is being asked. So what it finds is compared with the
 * documents' records, which are read after it. Whatever was current when a look began is there until it ends, which takes
 * less than the grace: no document is missed. If the record names the same commit and is settled, that commit was current
 * when the look began, and all of it was found. For the others the commits that the records name are looked for by
 * themselves: they are complete, and stay so for the grace.
 *
 * While documents are replaced, outdated fragments take places of current ones. Then the search is repeated without them,
 * until the places that are left suffice. Where replacing is faster than that, the best that the last attempt found are
 * returned: all current, and none twice.
 *
 * @throws Error when the server needs longer than the grace each time
 */
export async function search(search: Search): Promise<readonly ScoredFragment[]> {
  const filter = scopeFilter(search.scope);
  if (filter === undefined || search.limit < 1) return [];
  const leftOut: LeftOut = { hidden: await hiddenCommits(search), outdated: new Set() };
  let latest: Outcome | undefined;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const places = Math.max(search.limit, Math.min(search.limit * WIDENING ** attempt, MAX_PLACES));
    latest = (await attemptSearch(search, filter, leftOut, places)) ?? latest;
    if (latest?.isComplete === true) break;
  }
  if (latest !== undefined) return best(latest.fragments, search.limit);
  throw new Error(
    `expected a search of ${search.names.fragments} to end within ${String(search.grace)} ms, found that it took ` +
      `longer in ${String(MAX_ATTEMPTS)} attempts; give Qdrant more processors or memory`,
  );
}

/** Returns the commits of the documents that the scope excludes. A newer version has another commit and is visible. */
async function hiddenCommits({ connection, names, scope }: Search): Promise<ReadonlySet<string>> {
  const { organizationId, excluded } = scope;
  const upTo = new Map(excluded?.documents.map((one) => [documentId({ organizationId, ...one }), one.upTo]));
  const records = await documentRecords(connection, names.documents, [...upTo.keys()]);
  const hidden = [...records].filter(([id, { generation }]) => generation <= (upTo.get(id) ?? 0));
  return new Set(hidden.map(([, { commit }]) => commit));
}

/** @returns undefined where it took so long that what was found may be gone */
async function attemptSearch(
  search: Search,
  inScope: Filter,
  { hidden, outdated }: LeftOut,
  places: number,
): Promise<Outcome | undefined> {
  const began = performance.now();
  const commits = [...hidden, ...outdated];
  const filter = commits.length === 0 ? inScope : { must: [inScope], must_not: [isOneOf('commit', commits)] };
  const { found, lowest } = await look(search, filter, places);
  const { connection, names, limit, grace } = search;
  const ids = new Set(found.map(({ documentId }) => documentId));
  const records = await documentRecords(connection, names.documents, [...ids]);
  if (performance.now() - began >= grace) return undefined;

  const sure = found.filter(({ documentId, commit }) => {
    const record = records.get(documentId);
    return record?.isSettled === true && record.commit === commit;
  });
  const current = new Set([...records.values()].map(({ commit }) => commit));
  for (const { commit } of found) if (!current.has(commit)) outdated.add(commit);
  // What was found too early by the attempt before may be current by now.
  for (const commit of current) outdated.delete(commit);

  const unsettled = [...records.values()].filter(({ isSettled }) => !isSettled);
  const unsure = unsettled.map(({ commit }) => commit).filter((commit) => !hidden.has(commit));
  const again =
    unsure.length === 0 ? [] : (await look(search, { must: [inScope, isOneOf('commit', unsure)] }, limit)).found;
  if (performance.now() - began >= grace) return undefined;
  const fragments = [...sure, ...again];
  const certain = fragments.filter(({ fragment }) => lowest === undefined || fragment.score >= lowest);
  return { fragments, isComplete: lowest === undefined || certain.length >= limit };
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
  if (scores.size === 0) return { found: [], lowest: undefined };
  const points = await connection.ask(`read fragments of ${names.fragments}`, (client) =>
    client.retrieve(names.fragments, { ids: [...scores.keys()], with_payload: FRAGMENT_FIELDS, with_vector: false }),
  );
  const found = points.map(({ id, payload }) => foundFragment(payload ?? {}, scores.get(id) ?? 0));
  return { found, lowest: scores.size < places ? undefined : Math.min(...scores.values()) };
}

function best(found: readonly FoundFragment[], limit: number): readonly ScoredFragment[] {
  const fragments = found.map(({ fragment }) => fragment);
  return fragments.sort((a, b) => b.score - a.score).slice(0, limit);
}
