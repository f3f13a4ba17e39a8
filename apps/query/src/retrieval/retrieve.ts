import type { EmbeddingSettings, SearchScope } from '@quarry/contracts';
import { EmbeddingFailed, type Embedder } from '@quarry/embedder';
import type { FragmentStore, ScoredFragment } from '@quarry/fragment-store';
import type { Log } from '@quarry/service-kit';
import { abortable } from './abortable.js';
import { denseCloseness, lexicalCloseness } from './closeness.js';
import { collectionsOf, type CollectionSearch } from './collections.js';
import { fuse, type Fused, type RankedList } from './fusion.js';
import type { SearchText } from './search-texts.js';
import { select } from './selection.js';

export interface RetrievalParts {
  readonly fragmentStore: FragmentStore;
  /** Undefined: no embedder is configured for these settings, and their fragments are searched by words alone. */
  readonly embedderFor: (settings: EmbeddingSettings) => Embedder | undefined;
  /** The say of the dense list beside the lexical one, in [0, 1]. */
  readonly denseWeight: number;
  readonly log: Log;
}

export interface Retrieval {
  readonly texts: readonly SearchText[];
  readonly scope: SearchScope;
  readonly topK: number;
}

/** A fragment with a score in [0, 1]: what `fuse` says. */
export type RetrievedFragment = ScoredFragment;

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

/**
 * The fragments of the scope that are nearest to the texts, best first, at most `topK`. Everything that can run side by
 * side does. An embedder that fails or is slow leaves lexical search, and a warning in the log.
 *
 * @throws KnowledgeUnavailable
 * @throws the signal's reason when it aborts
 */
export async function retrieve(
  parts: RetrievalParts,
  retrieval: Retrieval,
  signal: AbortSignal,
): Promise<RetrievedFragment[]> {
  const limit = Math.max(50, 4 * retrieval.topK);
  const searches = collectionsOf(retrieval.scope).map(async (search) => {
    const lists = retrieval.texts.map(async (text) => listsFor(parts, search, text, limit, signal));
    return fuse((await Promise.all(lists)).flat());
  });
  const patience = AbortSignal.any([signal, AbortSignal.timeout(SEARCH_LIMIT_MS)]);
  try {
    const found = (await abortable(Promise.all(searches), patience)).flat();
    return select(found.sort(byScore), retrieval.topK).map(({ item, score }) => ({ ...item, score }));
  } catch (error) {
    signal.throwIfAborted();
    throw new KnowledgeUnavailable({ cause: error });
  }
}

async function listsFor(
  parts: RetrievalParts,
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
  parts: RetrievalParts,
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
  { embedderFor, log }: RetrievalParts,
  settings: EmbeddingSettings,
  text: string,
  signal: AbortSignal,
): Promise<Float32Array | undefined> {
  const embedder = embedderFor(settings);
  if (embedder === undefined) return undefined;
  const limit = AbortSignal.timeout(EMBEDDING_LIMIT_MS);
  try {
    return await embedder.embedQuery(text, { signal: AbortSignal.any([signal, limit]) });
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof EmbeddingFailed) && !limit.aborted) throw error;
    log.warn({ err: error, model: settings.model }, 'the query was not embedded; searching by words alone');
    return undefined;
  }
}

function byScore(one: Fused<unknown>, other: Fused<unknown>): number {
  return other.score - one.score;
}
