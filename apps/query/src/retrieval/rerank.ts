import { rejectOnAbort } from '@quarry/cancellation';
import { RerankingFailed, type Reranker } from '@quarry/embedder';
import type { ScoredFragment } from '@quarry/fragment-store';
import type { Log } from '@quarry/service-kit';
import { compareByScore, type Fused } from './fuse-lists.js';

/** Holds a reranker and its limits. */
export interface Reranking {
  readonly reranker: Reranker;
  /** Maximum number of found fragments that are sent to the reranker: those with the highest search scores. */
  readonly candidates: number;
  /** Maximum duration of reranking, in milliseconds. After this time, the order of the search is used. */
  readonly timeoutMs: number;
}

/**
 * Reranks the first `candidates` fragments, and returns them in the reranker's order, with its scores. The remaining
 * fragments follow in their order, with scores scaled to at most the lowest score from the reranker.
 *
 * @param found best first
 * @returns undefined after a failure or timeout of the reranker, which is logged
 * @throws the signal's reason when it aborts
 */
export async function rerankFragments(
  { reranker, candidates, timeoutMs }: Reranking,
  query: string,
  found: readonly Fused<ScoredFragment>[],
  { log, signal }: { readonly log: Log; readonly signal: AbortSignal },
): Promise<readonly Fused<ScoredFragment>[] | undefined> {
  const read = found.slice(0, candidates);
  const limit = AbortSignal.timeout(timeoutMs);
  const deadline = AbortSignal.any([signal, limit]);
  try {
    const texts = read.map(({ item }) => formatPassage(item));
    const scores = await rejectOnAbort(reranker.rerank(query, texts, { signal: deadline }), deadline);
    const ranked = read.map(({ item }, at) => ({ item, score: scores[at] ?? 0 })).sort(compareByScore);
    return [...ranked, ...scaleScores(found.slice(candidates), ranked.at(-1)?.score ?? 0)];
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof RerankingFailed) && !limit.aborted) throw error;
    log.warn({ err: error, model: reranker.model }, 'the passages were not reranked; the search order is used');
    return undefined;
  }
}

/** Formats a fragment for the reranker: its headings, which are part of its meaning, and its text. */
function formatPassage({ context, text }: ScoredFragment): string {
  return context === '' ? text : `${context}\n${text}`;
}

/** Scales the scores of the fragments that were not reranked, so that the best one gets `maxScore`. */
function scaleScores(rest: readonly Fused<ScoredFragment>[], maxScore: number): readonly Fused<ScoredFragment>[] {
  const best = rest[0]?.score ?? 0;
  return rest.map(({ item, score }) => ({ item, score: best === 0 ? 0 : (maxScore * score) / best }));
}
