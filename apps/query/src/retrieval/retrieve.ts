import { createDeadline, rejectOnAbort } from '@quarry/cancellation';
import { parsePageRectangles, type FoundFragment, type RetrievalNote, type SearchScope } from '@quarry/contracts';
import type { FragmentStore, ScoredFragment } from '@quarry/fragment-store';
import type { Log } from '@quarry/service-kit';
import type { Measurements } from '../measurements.js';
import type { EmbedQuery } from './embed-query.js';
import { compareByScore, fuseLists, type Fused, type RankedList } from './fuse-lists.js';
import { pairLists } from './pair-lists.js';
import { rerankFragments, type Reranking } from './rerank.js';
import type { SearchRecorder } from './search-recorder.js';
import { type SearchAdmission, SearchOverloaded } from './search-admission.js';
import {
  type CollectionSearch,
  createCollectionSearches,
  type SearchQuestion,
  type SearchText,
} from './search-texts.js';
import { createLexicalNormalizer, keepNewestVersions, selectResults, normalizeCosine } from './select-results.js';

export interface RetrievalParts {
  readonly fragmentStore: FragmentStore;
  readonly embedQuery: EmbedQuery;
  readonly admission: SearchAdmission;
  /** Weight of the dense ranking, in [0, 1]. The weight of the lexical ranking is 1 minus this weight. */
  readonly denseWeight: number;
  /** The reranker and its limits; undefined disables reranking. */
  readonly reranking: Reranking | undefined;
  readonly measurements: Pick<Measurements, 'searches'>;
  readonly log: Log;
}

export interface Retrieval {
  readonly question: SearchQuestion;
  readonly scope: SearchScope;
  readonly topK: number;
  /** Records how the search produced its results. Absent: nothing is recorded. */
  readonly recorder?: SearchRecorder;
}

export interface Retrieved {
  /** Fragments, best first, each with a score in [0, 1] from the reranker, or else from `fuseLists`. */
  readonly fragments: readonly ScoredFragment[];
  /** All fragments that were found, best first. `fragments` is a selection of them. */
  readonly candidates: readonly Fused<ScoredFragment>[];
  /** Codes of steps that are configured but failed, such as `not_reranked`. */
  readonly notes: readonly RetrievalNote[];
}

/** Reports that the fragment store failed to answer a search. */
export class KnowledgeUnavailable extends Error {
  constructor(options: ErrorOptions) {
    super('the fragment store failed to answer a search', options);
    this.name = 'KnowledgeUnavailable';
  }
}

/** Maximum time for all fragment store queries of a search together, including the time in the admission queue. */
const SEARCH_TIMEOUT_MS = 15_000;

type Found = RankedList<ScoredFragment>;

/** Holds the abort signal of one call of `retrieveFragments`, and collects the notes for its result. */
interface RetrievalRun {
  readonly signal: AbortSignal;
  readonly addNote: (note: RetrievalNote) => void;
}

/**
 * Returns at most `topK` fragments of the scope: those that match the question best, best first. If an embedder or a
 * reranker fails or times out, the search continues without it, logs a warning and returns a note.
 *
 * @throws KnowledgeUnavailable
 * @throws SearchOverloaded
 * @throws the signal's reason when it aborts
 */
export async function retrieveFragments(
  parts: RetrievalParts,
  retrieval: Retrieval,
  signal: AbortSignal,
): Promise<Retrieved> {
  const notes = new Set<RetrievalNote>();
  const run: RetrievalRun = { signal, addNote: (note) => void notes.add(note) };
  const found = await searchAllCollections(parts, retrieval, run);
  if (notes.has('not_embedded')) parts.measurements.searches.countNotEmbedded();
  const ordered = await rerankFoundFragments(parts, retrieval, found, run);
  const { topK, recorder } = retrieval;
  recorder?.startStage('select');
  const selected = selectResults(ordered, topK, recorder?.recordDropped);
  recorder?.endStages();
  const fragments = selected.map(({ item, score }) => ({ ...item, score }));
  return { fragments, candidates: ordered, notes: [...notes].sort() };
}

/** Describes the search for one question text in one collection. */
interface TextSearch {
  readonly search: CollectionSearch;
  readonly text: SearchText;
  /** Vector of the text; undefined for lexical search only. */
  readonly vector: Float32Array | undefined;
}

/** Searches all collections of the scope for all texts of the question. */
async function searchAllCollections(
  parts: RetrievalParts,
  { question, scope, topK, recorder }: Retrieval,
  run: RetrievalRun,
): Promise<readonly Fused<ScoredFragment>[]> {
  recorder?.startStage('embed');
  const limit = Math.max(50, 4 * topK, parts.reranking?.candidates ?? 0);
  const pairs = createCollectionSearches(scope).flatMap((search) => question.texts.map((text) => ({ search, text })));
  const searches = await Promise.all(
    pairs.map(async (pair) => ({ ...pair, vector: await embedText(parts, pair, run) })),
  );
  recorder?.startStage('search');
  const startAllQueries = (): Promise<FoundList>[] =>
    searches.flatMap((each) => startQueries(parts, each, { limit, recorder }));
  const found = searches.length === 0 ? [] : await runQueries(parts, scope.organizationId, startAllQueries, run.signal);
  recorder?.startStage('fuse');
  const paired = pairFoundLists(found);
  if (recorder) for (const { kind, list } of paired) recorder.recordList(kind, list.items);
  const byCollection = Map.groupBy(paired, ({ search }) => search);
  const fused = [...byCollection.values()]
    .flatMap((lists) =>
      fuseLists(
        keepNewestVersions(
          lists.map(({ list }) => list),
          recorder?.recordDropped,
        ),
      ),
    )
    .sort(compareByScore);
  recorder?.recordOrder('fused', fused);
  return fused;
}

/**
 * Runs the queries of a search. They start together or not at all, because they are admitted as one search.
 *
 * @throws KnowledgeUnavailable, SearchOverloaded, the signal's reason when it aborts
 */
async function runQueries(
  { admission }: RetrievalParts,
  organizationId: string,
  start: () => readonly Promise<FoundList>[],
  signal: AbortSignal,
): Promise<readonly FoundList[]> {
  return limitStoreQueries(async (limited) => admission.runSearch(organizationId, start, limited), signal);
}

/**
 * Runs queries of the fragment store within the time limit of a search.
 *
 * @throws KnowledgeUnavailable, SearchOverloaded, the signal's reason when it aborts
 */
export async function limitStoreQueries<Result>(
  run: (signal: AbortSignal) => Promise<Result>,
  signal: AbortSignal,
): Promise<Result> {
  const deadline = createDeadline(signal, SEARCH_TIMEOUT_MS);
  try {
    return await rejectOnAbort(run(deadline.signal), deadline.signal);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof SearchOverloaded) throw error;
    throw new KnowledgeUnavailable({ cause: error });
  } finally {
    deadline.release();
  }
}

/** Reranks the fragments if a reranker is configured and there are at least two of them. */
async function rerankFoundFragments(
  { reranking, log }: RetrievalParts,
  { question, recorder }: Retrieval,
  found: readonly Fused<ScoredFragment>[],
  { signal, addNote }: RetrievalRun,
): Promise<readonly Fused<ScoredFragment>[]> {
  if (reranking === undefined || found.length < 2) return found;
  recorder?.startStage('rerank');
  const ranked = await rerankFragments(reranking, question.whole, found, { log, signal });
  if (ranked === undefined) addNote('not_reranked');
  else recorder?.recordOrder('reranked', ranked.slice(0, reranking.candidates));
  return ranked ?? found;
}

interface FoundList extends Omit<TextSearch, 'vector'> {
  readonly kind: 'dense' | 'lexical';
  readonly list: Found;
}

/** Applies `pairLists` to the dense and the lexical list of each text and collection. */
function pairFoundLists(found: readonly FoundList[]): readonly FoundList[] {
  return found.map((one) => {
    const other = found.find(
      ({ kind, search, text }) => kind !== one.kind && search === one.search && text === one.text,
    );
    if (other === undefined) return one;
    const [dense, lexical] = one.kind === 'dense' ? [one.list, other.list] : [other.list, one.list];
    return { ...one, list: pairLists({ dense, lexical })[one.kind] };
  });
}

function startQueries(
  parts: RetrievalParts,
  { search, text, vector }: TextSearch,
  { limit, recorder }: { readonly limit: number; readonly recorder: SearchRecorder | undefined },
): Promise<FoundList>[] {
  const { fragmentStore, denseWeight } = parts;
  const { collection, scope } = search;
  const searchLexical = async (weight: number): Promise<FoundList> => {
    const endList = recorder?.startList({ kind: 'lexical', text: text.text, weight });
    const items = await fragmentStore.searchLexical(collection, scope, { text: text.text, vector }, limit);
    endList?.(items.length);
    if (recorder) recorder.recordDocumentLanguages(await fragmentStore.findLanguages(collection, scope));
    const list = { items, limit, weight, normalizeBest: createLexicalNormalizer(text.text) };
    return { search, text, kind: 'lexical', list };
  };
  if (vector === undefined) return [searchLexical(text.weight)];
  const searchDense = async (weight: number): Promise<FoundList> => {
    const endList = recorder?.startList({ kind: 'dense', text: text.text, weight });
    const items = await fragmentStore.searchDense(collection, scope, vector, limit);
    endList?.(items.length);
    return { search, text, kind: 'dense', list: { items, limit, weight, normalizeBest: normalizeCosine } };
  };
  return [searchDense(text.weight * denseWeight), searchLexical(text.weight * (1 - denseWeight))];
}

/** Embeds a text. @returns its vector, or undefined if only lexical search is possible */
async function embedText(
  { embedQuery, denseWeight, log }: RetrievalParts,
  { search, text }: Omit<TextSearch, 'vector'>,
  { signal, addNote }: RetrievalRun,
): Promise<Float32Array | undefined> {
  const { embedding } = search.collection;
  if (embedding === null || denseWeight === 0) return undefined;
  const vector = await embedQuery(embedding, text.text, { log, signal });
  if (vector === undefined) addNote('not_embedded');
  return vector;
}

/** Converts a fragment to the form that the gateway receives. */
export function toFoundFragment(fragment: ScoredFragment): FoundFragment {
  const { id: fragmentId, datasourceId, documentKey, customId, source, page, text, score } = fragment;
  const rectangles = parsePageRectangles(fragment.rectangles);
  return { fragmentId, datasourceId, documentKey, customId, source, page, rectangles, text, score };
}
