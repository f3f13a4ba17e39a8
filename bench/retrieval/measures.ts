/** Ranking quality from 0 to 1, as means over the queries. */
export interface Measures {
  readonly ndcg10: number;
  /** Share of the relevant documents that are among the first five documents of the ranking. */
  readonly recall5: number;
  /** Share of the relevant documents that are among the first 100 documents of the ranking. */
  readonly recall100: number;
  readonly mrr: number;
  /** Share of the queries whose first result is relevant. */
  readonly hit1: number;
  /**
   * Share of the relevant documents of which the first five results contain a fragment. Several results can be of one
   * document.
   */
  readonly recallOf5Results: number;
}

/** Maps the ids of the documents that are relevant to a query to their relevance, which is greater than 0. */
export type Judgements = ReadonlyMap<string, number>;

export interface JudgedRanking {
  /** Ids of documents, best first, without duplicates. */
  readonly ranking: readonly string[];
  /**
   * Ids of the documents to which the first five results belong. Absent if each result is a whole document: these ids
   * are then the first five of `ranking`.
   */
  readonly documentsOf5Results?: readonly string[];
  readonly relevant: Judgements;
}

const DEPTH = 10;
const MAX_RESULTS = 100;

/** Computes the means of all measures over the queries. Queries without relevant documents are skipped. */
export function computeMeasures(rankings: readonly JudgedRanking[]): Measures {
  const judged = rankings.filter(({ relevant }) => relevant.size > 0);
  const computeMean = (value: (ranking: JudgedRanking) => number): number =>
    judged.reduce((sum, ranking) => sum + value(ranking), 0) / Math.max(1, judged.length);
  return {
    ndcg10: computeMean(computeNdcg),
    recall5: computeMean(createRecallMeasure(5)),
    recall100: computeMean(createRecallMeasure(MAX_RESULTS)),
    mrr: computeMean(computeReciprocalRank),
    hit1: computeMean(({ ranking: [first = ''], relevant }) => (relevant.has(first) ? 1 : 0)),
    recallOf5Results: computeMean(({ ranking, documentsOf5Results = ranking, relevant }) =>
      computeRecall(documentsOf5Results.slice(0, 5), relevant),
    ),
  };
}

/**
 * Returns nDCG@10: the sum of relevance / log2(rank + 1) over the first ten documents, divided by this sum for the
 * ideal ranking. Source: `ndcg_cut` of trec_eval.
 */
function computeNdcg({ ranking, relevant }: JudgedRanking): number {
  const found = ranking.slice(0, DEPTH).map((id) => relevant.get(id) ?? 0);
  const ideal = [...relevant.values()].sort((one, other) => other - one).slice(0, DEPTH);
  return sumDiscountedGains(found) / sumDiscountedGains(ideal);
}

function sumDiscountedGains(gains: readonly number[]): number {
  return gains.reduce((sum, gain, at) => sum + gain / Math.log2(at + 2), 0);
}

/** Creates a function that computes the recall of the first `depth` documents of a ranking. */
function createRecallMeasure(depth: number): (judged: JudgedRanking) => number {
  return ({ ranking, relevant }) => computeRecall(ranking.slice(0, depth), relevant);
}

function computeRecall(found: readonly string[], relevant: Judgements): number {
  return found.filter((id) => relevant.has(id)).length / relevant.size;
}

function computeReciprocalRank({ ranking, relevant }: JudgedRanking): number {
  const first = ranking.slice(0, MAX_RESULTS).findIndex((id) => relevant.has(id));
  return first === -1 ? 0 : 1 / (first + 1);
}
