import type { EmbeddingSettings, RetrievalNote, SearchScope } from '@quarry/contracts';
import { EmbeddingFailed, type Embedder } from '@quarry/embedder';
import type { FragmentStore, ScoredFragment } from '@quarry/fragment-store';
import type { Log } from '@quarry/service-kit';
import { abortable } from './abortable.js';
import { denseCloseness, lexicalCloseness } from './closeness.js';
import { collectionsOf, type CollectionSearch } from './collections.js';
import { byScore, fuse, type Fused, type RankedList } from './fusion.js';
import { inOneVersion } from './one-version.js';
import { rerank, type Reranking } from './rerank.js';
import type { SearchQuestion, SearchText } from './search-texts.js';
import { select } from './selection.js';

export interface RetrievalParts {
  readonly fragmentStore: FragmentStore;
  /** Undefined: no embedder is configured for these settings, and their fragments are searched by words alone. */
  readonly embedderFor: (settings: EmbeddingSettings) => Embedder | undefined;
  /** The say of the dense list beside the lexical one, in [0, 1]. */
  readonly denseWeight: number;
  /** Undefined: passages stand as they were found. */
  readonly reranking: Reranking | undefined;
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
const EMBEDDING_LIMIT_MS = 4_000;

type Found = RankedList<ScoredFragment>;
type TakeNote = (note: RetrievalNote) => void;

/**
 * The fragments of the scope that are nearest to the texts, best first, at most `topK`. Everything that can run side by
 * side does. An embedder or a reranker that fails or is slow leaves the search that there is without it, a warning in the log,
 * and a note.
 *
 * @throws KnowledgeUnavailable
 * @throws the signal's reason when it aborts
 */
export async function retrieve(parts: RetrievalParts, retrieval: Retrieval, signal: AbortSignal): Promise<Retrieved> {
  const notes = new Set<RetrievalNote>();
  const takeNote = (note: RetrievalNote): void => void notes.add(note);
  const found = await searchAll(parts, retrieval, signal, takeNote);
  const ordered = await inBetterOrder(parts, retrieval, found, signal, takeNote);
  const fragments = select(ordered, retrieval.topK).map(({ item, score }) => ({ ...item, score }));
  return { fragments, notes: [...notes].sort() };
}

async function searchAll(
  parts: RetrievalParts,
  { question, scope, topK }: Retrieval,
  signal: AbortSignal,
  takeNote: TakeNote,
): Promise<readonly Fused<ScoredFragment>[]> {
  const limit = Math.max(50, 4 * topK, parts.reranking?.candidates ?? 0);
  const searches = collectionsOf(scope).map(async (search) => {
    const lists = question.texts.map(async (text) => listsFor({ ...parts, takeNote }, search, text, limit, signal));
    return fuse(inOneVersion((await Promise.all(lists)).flat()));
  });
  const patience = AbortSignal.any([signal, AbortSignal.timeout(SEARCH_LIMIT_MS)]);
  try {
    return (await abortable(Promise.all(searches), patience)).flat().sort(byScore);
  } catch (error) {
    signal.throwIfAborted();
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

interface SearchParts extends RetrievalParts {
  readonly takeNote: TakeNote;
}

async function listsFor(
  parts: SearchParts,
  search: CollectionSearch,
  text: SearchText,
  limit: number,
  signal: AbortSignal,
): Promise<Found[]> {
  const [lexical, dense] = await Promise.all([
    searchLexical(parts, search, text, limit),
    searchDense(parts, search, text, limit, signal),
  ]);
  if (dense === undefined) return [lexical];
  return [
    { ...dense, weight: text.weight * parts.denseWeight },
    { ...lexical, weight: text.weight * (1 - parts.denseWeight) },
  ];
}

async function searchLexical(
  { fragmentStore }: RetrievalParts,
  { collection, scope }: CollectionSearch,
  { text, weight }: SearchText,
  limit: number,
): Promise<Found> {
  const items = await fragmentStore.searchLexical(collection, scope, text, limit);
  return { items, limit, weight, closeness: lexicalCloseness(text) };
}

/** @returns undefined where there is no vector to search with */
async function searchDense(
  parts: SearchParts,
  { collection, scope }: CollectionSearch,
  { text, weight }: SearchText,
  limit: number,
  signal: AbortSignal,
): Promise<Found | undefined> {
  if (collection.embedding === null || parts.denseWeight === 0) return undefined;
  const vector = await embed(parts, collection.embedding, text, signal);
  if (vector === undefined) return undefined;
  const items = await parts.fragmentStore.searchDense(collection, scope, vector, limit);
  return { items, limit, weight, closeness: denseCloseness };
}

async function embed(
  { embedderFor, log, takeNote }: SearchParts,
  settings: EmbeddingSettings,
  text: string,
  signal: AbortSignal,
): Promise<Float32Array | undefined> {
  const embedder = embedderFor(settings);
  if (embedder === undefined) {
    takeNote('not_embedded');
    return undefined;
  }
  const limit = AbortSignal.timeout(EMBEDDING_LIMIT_MS);
  try {
    return await embedder.embedQuery(text, { signal: AbortSignal.any([signal, limit]) });
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof EmbeddingFailed) && !limit.aborted) throw error;
    log.warn({ err: error, model: settings.model }, 'the query was not embedded; searching by words alone');
    takeNote('not_embedded');
    return undefined;
  }
}
