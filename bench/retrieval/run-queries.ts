import type { DatastoreQueryResult, QuarryClient } from '@quarry/client';
import type { EvaluationSet } from './evaluation-set.js';
import type { JudgedRanking } from './measures.js';
import { measureDuration } from '../quarry/measure-duration.js';

/** The results of one search mode for all queries of a set. */
export interface Run {
  readonly mode: string;
  readonly answers: readonly RunAnswer[];
}

export interface RunAnswer extends JudgedRanking {
  readonly query: string;
  readonly ms: number;
}

const MAX_RESULTS = 100;

/**
 * Sends the queries one after the other, and requests up to `MAX_RESULTS` fragments for each. A document has the rank
 * of its best fragment.
 */
export async function runQueries(
  client: QuarryClient,
  datastoreId: string,
  { queries }: EvaluationSet,
  mode: string,
): Promise<Run> {
  const answers: RunAnswer[] = [];
  for (const { id, text, relevant } of queries) {
    const { result, ms } = await measureDuration(() =>
      client.queryDatastore(datastoreId, { query: text, topK: MAX_RESULTS }),
    );
    const documentsOf5Results = listDocumentIds(result.slice(0, 5));
    answers.push({ query: id, ranking: listDocumentIds(result), documentsOf5Results, relevant, ms });
  }
  return { mode, answers };
}

/** Returns the ids of the documents to which the results belong, best first, without duplicates. */
function listDocumentIds(results: readonly DatastoreQueryResult[]): string[] {
  return [...new Set(results.flatMap(({ custom_id: customId }) => customId ?? []))];
}
