import {
  type FoundFragment,
  type FragmentScores,
  MAX_DROPPED_RESULTS,
  MAX_DROPPED_TEXT,
  SEARCH_DROP_REASONS,
  type SearchDropReason,
  type SearchedList,
  type SearchTrace,
  type StageTime,
} from '@quarry/contracts';
import type { ScoredFragment } from '@quarry/fragment-store';
import { analyzeQueryForExplanation } from '@quarry/text-analysis';
import type { Fused } from './fuse-lists.js';
import type { ReportDropped } from './select-results.js';

type Ranking = Exclude<keyof FragmentScores, 'fragment_id' | 'document_key'>;
type Scores = Partial<Record<Ranking, NonNullable<FragmentScores[Ranking]>>>;

interface Dropped {
  readonly item: ScoredFragment;
  readonly score: number;
  readonly reason: SearchDropReason;
  readonly duplicateOf: string | null;
}

/** Records the stages of one search, to explain its results. */
export class SearchRecorder {
  readonly #query: string;
  readonly #now: () => number;
  readonly #lists: SearchedList[] = [];
  readonly #stages: StageTime[] = [];
  readonly #scores = new Map<string, Scores>();
  readonly #dropped = new Map<string, Dropped>();
  readonly #documentLanguages = new Set<string>();
  #endStage: (() => void) | undefined;

  /** @param now returns the current time in milliseconds, from any origin, because only differences are used */
  constructor(query: string, now: () => number = () => performance.now()) {
    this.#query = query;
    this.#now = now;
  }

  /** Starts the timer of a stage, and stops the timer of the previous stage. */
  startStage(stage: StageTime['stage']): void {
    this.#endStage?.();
    const start = this.#now();
    this.#endStage = () => void this.#stages.push({ stage, ms: this.#measureSince(start) });
  }

  /** Stops the timer of the last stage. */
  endStages(): void {
    this.#endStage?.();
    this.#endStage = undefined;
  }

  /** Records the start of a search of the store. @returns a function that records its number of results */
  startList(list: Pick<SearchedList, 'kind' | 'text' | 'weight'>): (found: number) => void {
    const start = this.#now();
    return (found) => void this.#lists.push({ ...list, found, ms: this.#measureSince(start) });
  }

  /** Records the scores and ranks of the fragments that a dense or lexical query found. */
  recordList(kind: SearchedList['kind'], items: readonly ScoredFragment[]): void {
    this.recordOrder(
      kind,
      items.map((item) => ({ item, score: item.score })),
    );
  }

  /**
   * Records the languages of the searched documents as ISO 639-1 codes. A query whose language is unclear is searched
   * in these languages.
   */
  recordDocumentLanguages(languages: readonly string[]): void {
    for (const language of languages) this.#documentLanguages.add(language);
  }

  /**
   * Records the scores and ranks of fragments in a ranking. If a fragment already has a rank in this ranking, only its
   * better rank remains.
   */
  recordOrder(ranking: Ranking, ordered: readonly Fused<ScoredFragment>[]): void {
    for (const [at, { item, score }] of ordered.entries()) {
      const scores = this.#scores.get(item.id) ?? {};
      const rank = at + 1;
      if (rank < (scores[ranking]?.rank ?? Infinity)) scores[ranking] = { score, rank };
      this.#scores.set(item.id, scores);
    }
  }

  /** Records that a step dropped a fragment. */
  readonly recordDropped: ReportDropped = ({ item, score }, reason, duplicateOf) => {
    this.#dropped.set(item.id, { item, score, reason, duplicateOf: duplicateOf ?? null });
  };

  /**
   * Builds the trace of the search, which explains its results.
   *
   * @param results the returned fragments, best first
   * @param toResponseFragment converts a dropped fragment to the form of the response
   */
  build(
    results: readonly ScoredFragment[],
    toResponseFragment: (fragment: ScoredFragment) => FoundFragment,
  ): SearchTrace {
    const dropped = [...this.#dropped.values()].sort(compareDroppedFragments);
    const counts = SEARCH_DROP_REASONS.map((reason) => ({
      reason,
      count: dropped.filter((one) => one.reason === reason).length,
    }));
    return {
      query: { text: this.#query, ...analyzeQueryForExplanation(this.#query, [...this.#documentLanguages]) },
      lists: this.#lists,
      stages: this.#stages,
      results: results.map((item) => this.#getScores(item)),
      dropped: dropped.slice(0, MAX_DROPPED_RESULTS).map(({ item, score, reason, duplicateOf }) => ({
        fragment: shortenFragmentText({ ...toResponseFragment(item), score }),
        scores: this.#getScores(item),
        reason,
        duplicateOf,
      })),
      droppedCounts: counts.filter(({ count }) => count > 0),
    };
  }

  #getScores({ id, documentKey }: ScoredFragment): FragmentScores {
    const { lexical = null, dense = null, fused = null, reranked = null } = this.#scores.get(id) ?? {};
    return { fragment_id: id, document_key: documentKey, lexical, dense, fused, reranked };
  }

  /** Returns the time since `start` in milliseconds, rounded to microseconds. */
  #measureSince(start: number): number {
    return Math.max(0, Math.round((this.#now() - start) * 1_000) / 1_000);
  }
}

/** Orders dropped fragments by descending score. Those with the frequent reason `rank_cut` follow all others. */
function compareDroppedFragments(one: Dropped, other: Dropped): number {
  return Number(one.reason === 'rank_cut') - Number(other.reason === 'rank_cut') || other.score - one.score;
}

function shortenFragmentText(fragment: FoundFragment): FoundFragment {
  // A cut surrogate pair is not valid Unicode.
  return { ...fragment, text: fragment.text.slice(0, MAX_DROPPED_TEXT).toWellFormed() };
}
