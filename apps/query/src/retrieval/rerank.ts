import { rejectOnAbort } from '@quarry/cancellation';
import { RerankingFailed, type Reranker } from '@quarry/embedder';
import type { ScoredFragment } from '@quarry/fragment-store';
import type { Log } from '@quarry/service-kit';
import { byScore, type Fused } from './fusion.js';

/** What puts the passages that were found into a better order. */
export interface Reranking {
  readonly reranker: Reranker;
  /** How many of the best it reads. */
  readonly candidates: number;
  /** How long it may take: after that, the order that there is is better than a later one. */
  readonly timeoutMs: number;
}

/**
 * The same passages in the reranker's order, with its scores. Those that it has not read stay behind those that it has.
 *
 * @param found best first
 * @returns undefined where the reranker failed or took too long, which the log says
 * @throws the signal's reason when it aborts
 */
export async function rerank(
  { reranker, candidates, timeoutMs }: Reranking,
  query: string,
  found: readonly Fused<ScoredFragment>[],
  { log, signal }: { readonly log: Log; readonly signal: AbortSignal },
): Promise<readonly Fused<ScoredFragment>[] | undefined> {
  const read = found.slice(0, candidates);
  const limit = AbortSignal.timeout(timeoutMs);
  const patience = AbortSignal.any([signal, limit]);
  try {
    const texts = read.map(({ item }) => passageOf(item));
    const scores = await rejectOnAbort(reranker.rerank(query, texts, { signal: patience }), patience);
    const ranked = read.map(({ item }, at) => ({ item, score: scores[at] ?? 0 })).sort(byScore);
    return [...ranked, ...below(found.slice(candidates), ranked.at(-1)?.score ?? 0)];
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof RerankingFailed) && !limit.aborted) throw error;
    log.warn({ err: error, model: reranker.model }, 'the passages were not reranked; they stand as they were found');
    return undefined;
  }
}

/** A passage means little without what it stands under. */
function passageOf({ context, text }: ScoredFragment): string {
  return context === '' ? text : `${context}\n${text}`;
}

/** In the order they had, none with more than `most`. */
function below(rest: readonly Fused<ScoredFragment>[], most: number): readonly Fused<ScoredFragment>[] {
  const best = rest[0]?.score ?? 0;
  return rest.map(({ item, score }) => ({ item, score: best === 0 ? 0 : (most * score) / best }));
}
