import type { EvaluationQuestionResponse, EvaluationResponse } from '@quarry/contracts';
import type { Queries } from '../database/database.js';
import { loadDatasourceLabels } from '../datasources/datasource-repository.js';
import { buildOriginalAddress } from '../source-addresses/source-address.js';
import type { Evaluation } from './evaluation-repository.js';
import type { QuestionWithResult } from './result-repository.js';
import { roundLatency, roundMetrics } from './round-latencies.js';

/** Converts an evaluation to its API response. */
export function viewEvaluation(evaluation: Evaluation): EvaluationResponse {
  const { id, name, status, datasetId, datastoreId, agentId, settings } = evaluation;
  const { questions, ended, failed, metrics, error } = evaluation;
  return {
    ...{ id, name, status, datasetId, datastoreId, agentId, settings, questions, ended, failed, error },
    metrics: metrics === null ? null : roundMetrics(metrics),
    createdAt: evaluation.createdAt.toISOString(),
    startedAt: evaluation.startedAt?.toISOString() ?? null,
    endedAt: evaluation.endedAt?.toISOString() ?? null,
  };
}

/** Converts questions to their API responses. Hides the names and addresses of deleted datasources. */
export async function viewQuestions(
  db: Queries,
  organizationId: string,
  questions: readonly QuestionWithResult[],
  apiUrl: string,
): Promise<readonly EvaluationQuestionResponse[]> {
  const ids = questions.flatMap(({ result }) => result?.results.map(({ datasourceId }) => datasourceId) ?? []);
  const labels = await loadDatasourceLabels(db, organizationId, ids);
  return questions.map(({ question, result }) => ({
    ...question,
    status: result === null ? 'waiting' : result.error === null ? 'done' : 'failed',
    error: result?.error ?? null,
    scores: result?.scores ?? null,
    latencyMs: roundLatency(result?.latencyMs ?? null),
    answer: result?.answer ?? null,
    results: (result?.results ?? []).map(({ datasourceId, source, ...passage }) => {
      const label = labels.get(datasourceId);
      return {
        datasourceId,
        datasourceName: label?.name ?? null,
        source: label === undefined ? null : (source ?? buildOriginalAddress(apiUrl, datasourceId)),
        ...passage,
      };
    }),
  }));
}
