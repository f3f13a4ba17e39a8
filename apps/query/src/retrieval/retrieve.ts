import { rejectOnAbort } from '@quarry/cancellation';
import type { RetrievalNote, SearchScope } from '@quarry/contracts';
import type { FragmentStore, ScoredFragment } from '@quarry/fragment-store';
import type { Log } from '@quarry/service-kit';
import type { Measurements } from '../measurements.js';
import { denseCloseness, lexicalCloseness } from './closeness.js';
import { collectionsOf, type CollectionSearch } from './collections.js';
import type { EmbedQuery } from './embed-query.js';
import { byScore, fuse, type Fused, type RankedList } from './fusion.js';
import { inOneVersion } from './one-version.js';
import { rerank, type Reranking } from './rerank.js';
import { SearchOverloaded, type SearchAdmission } from './search-admission.js';
import type { SearchQuestion, SearchText } from './search-texts.js';
import { select } from './selection.js';

export interface RetrievalParts {
  readonly fragmentStore: FragmentStore;
  readonly embedQuery: EmbedQuery;
  readonly admission: SearchAdmission;
  /** The weight of the dense list beside the lexical one, in [0, 1]. */
  readonly denseWeight: number;
  /** Undefined: passages stand as they were found. */
  readonly reranking: Reranking | undefined;
  readonly measurements: Pick<Measurements, 'searches'>;
  readonly log: Log;
}

export interface Retrieval {
  readonly question: SearchQuestion;
  readonly scope: SearchScope;
  readonly topK: number;
}

export interface Retrieved {
  /** Best first, each with a score in [0, 1]: what the reranker says, or else what `fuse` says. */
  readonly fragments: readonly ScoredFragment[];
  /** What was not done as it is configured. */
  readonly notes: readonly RetrievalNote[];
}

/** The fragments cannot be searched now. */
export class KnowledgeUnavailable extends Error {
  constructor(options: ErrorOptions) {
    super('the fragment store did not answer a search', options);
    this.name = 'KnowledgeUnavailable';
  }
}

/** Beyond these, fewer fragments are better than a later answer. */
const SEARCH_LIMIT_MS = 15_000;

type Found = RankedList<ScoredFragment>;
type TakeNote = (note: RetrievalNote) => void;

/**
 * Returns the fragments of the scope that are nearest to the texts, best first, at most `topK`. An embedder or a reranker that
 * fails or is slow leaves the search that there is without it, a warning in the log, and a note.
 *
 * @throws KnowledgeUnavailable
 * @throws SearchOverloaded
 * @throws the signal's reason when it aborts
 */
export async function retrieve(parts: RetrievalParts, retrieval: Retrieval, signal: AbortSignal): Promise<Retrieved> {
  const notes = new Set<RetrievalNote>();
  const takeNote = (note: RetrievalNote): void => void notes.add(note);
  const found = await searchAll(parts, retrieval, signal, takeNote);
  if (notes.has('not_embedded')) parts.measurements.searches.notEmbedded();
  const ordered = await inBetterOrder(parts, retrieval, found, signal, takeNote);
  const fragments = select(ordered, retrieval.topK).map(({ item, score }) => ({ ...item, score }));
  return { fragments, notes: [...notes].sort() };
}

/** One text in one collection. */
interface TextSearch {
  readonly search: CollectionSearch;
  readonly text: SearchText;
  /** Undefined: it is searched by words alone. */
  readonly vector: Float32Array | undefined;
}

/** The queries of all texts in all collections are one search to the store: it is begun as a whole or not at all. */
async function searchAll(
  parts: RetrievalParts,
  { question, scope, topK }: Retrieval,
  signal: AbortSignal,
  takeNote: TakeNote,
): Promise<readonly Fused<ScoredFragment>[]> {
  const limit = Math.max(50, 4 * topK, parts.reranking?.candidates ?? 0);
  const pairs = collectionsOf(scope).flatMap((search) => question.texts.map((text) => ({ search, text })));
  const searches = await Promise.all(
    pairs.map(async (pair) => ({ ...pair, vector: await embed(parts, pair, signal, takeNote) })),
  );
  const ending = AbortSignal.any([signal, AbortSignal.timeout(SEARCH_LIMIT_MS)]);
  const start = (): Promise<FoundIn>[] => searches.flatMap((each) => startQueries(parts, each, limit));
  try {
    const found = await rejectOnAbort(parts.admission.run(scope.organizationId, start, ending), ending);
    const byCollection = Map.groupBy(found, ({ search }) => search);
    return [...byCollection.values()]
      .flatMap((lists) => fuse(inOneVersion(lists.map(({ list }) => list))))
      .sort(byScore);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof SearchOverloaded) throw error;
    throw new KnowledgeUnavailable({ cause: error });
  }
}

/** One passage alone has its place already. */
async function inBetterOrder(
  { reranking, log }: RetrievalParts,
  { question }: Retrieval,
  found: readonly Fused<ScoredFragment>[],
  signal: AbortSignal,
  takeNote: TakeNote,
): Promise<readonly Fused<ScoredFragment>[]> {
  if (reranking === undefined || found.length < 2) return found;
  const ranked = await rerank(reranking, question.whole, found, { log, signal });
  if (ranked === undefined) takeNote('not_reranked');
  return ranked ?? found;
}

interface FoundIn {
  readonly search: CollectionSearch;
  readonly list: Found;
}

function startQueries(parts: RetrievalParts, { search, text, vector }: TextSearch, limit: number): Promise<FoundIn>[] {
  const { fragmentStore, denseWeight } = parts;
  const { collection, scope } = search;
  const lexical = async (weight: number): Promise<FoundIn> => {
    const items = await fragmentStore.searchLexical(collection, scope, text.text, limit);
    return { search, list: { items, limit, weight, closeness: lexicalCloseness(text.text) } };
  };
  if (vector === undefined) return [lexical(text.weight)];
  const dense = async (weight: number): Promise<FoundIn> => {
    const items = await fragmentStore.searchDense(collection, scope, vector, limit);
    return { search, list: { items, limit, weight, closeness: denseCloseness } };
  };
  return [dense(text.weight * denseWeight), lexical(text.weight * (1 - denseWeight))];
}

/** @returns undefined where there is no vector to search with */
async function embed(
  { embedQuery, denseWeight, log }: RetrievalParts,
  { search, text }: Omit<TextSearch, 'vector'>,
  signal: AbortSignal,
  takeNote: TakeNote,
): Promise<Float32Array | undefined> {
  const { embedding } = search.collection;
  if (embedding === null || denseWeight === 0) return undefined;
  const vector = await embedQuery(embedding, text.text, { log, signal });
  if (vector === undefined) takeNote('not_embedded');
  return vector;
}
