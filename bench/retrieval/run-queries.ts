import type { QuarryClient } from '@quarry/client';
import type { EvaluationSet } from './evaluation-set.js';
import type { JudgedRanking } from './measures.js';
import { timed } from '../quarry/timed.js';

/** One way of searching, asked every query of a set. */
export interface Run {
  readonly mode: string;
  readonly answers: readonly RunAnswer[];
}

export interface RunAnswer extends JudgedRanking {
  readonly query: string;
  readonly ms: number;
}

const MOST = 100;

/** Asks one after the other, as many fragments as there may be. A document's place is that of its best fragment. */
export async function runQueries(
  client: QuarryClient,
  datastoreId: string,
  { queries }: EvaluationSet,
  mode: string,
): Promise<Run> {
  const answers: RunAnswer[] = [];
  for (const { id, text, relevant } of queries) {
    const { result, ms } = await timed(() => client.queryDatastore(datastoreId, { query: text, topK: MOST }));
    const ranking = [...new Set(result.flatMap(({ custom_id: customId }) => customId ?? []))];
    answers.push({ query: id, ranking, relevant, ms });
  }
  return { mode, answers };
}
