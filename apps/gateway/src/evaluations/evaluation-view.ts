import type {
  EvaluationDatasetResponse,
  EvaluationQuestionResponse,
  EvaluationResponse,
  EvaluationResult,
} from '@quarry/contracts';
import type { Queries } from '../database/database.js';
import type { FoundPassage } from '../database/tables/evaluations.js';
import { type DatasourceLabel, loadDatasourceLabels } from '../datasources/datasource-repository.js';
import { toApiDocumentKey } from '../datasources/document-view.js';
import { buildOriginalAddress, findDocumentUrl } from '../source-addresses/source-address.js';
import type { ListedDataset } from './dataset-repository.js';
import type { Evaluation } from './evaluation-repository.js';
import type { QuestionWithResult } from './result-repository.js';
import { roundLatency, roundMetricLatencies } from './round-latencies.js';

/** Builds the API response of an evaluation. */
export function buildEvaluationResponse(evaluation: Evaluation): EvaluationResponse {
  const { id, name, status, datasetId, datastoreId, agentId, settings } = evaluation;
  const { questions, ended, failed, metrics, error } = evaluation;
  return {
    ...{ id, name, status, datasetId, datastoreId, agentId, settings, questions, ended, failed, error },
    metrics: metrics === null ? null : roundMetricLatencies(metrics),
    createdAt: evaluation.createdAt.toISOString(),
    startedAt: evaluation.startedAt?.toISOString() ?? null,
    endedAt: evaluation.endedAt?.toISOString() ?? null,
  };
}

/** Builds the API responses of questions. Hides the names, addresses and texts of passages of deleted datasources. */
export async function buildQuestionResponses(
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
    results: (result?.results ?? []).map((passage) =>
      buildEvaluationResult(passage, labels.get(passage.datasourceId), apiUrl),
    ),
  }));
}

function buildEvaluationResult(
  { datasourceId, documentKey = null, source, text = null, ...passage }: FoundPassage,
  label: DatasourceLabel | undefined,
  apiUrl: string,
): EvaluationResult {
  if (label === undefined) {
    return { datasourceId, datasourceName: null, documentKey: null, source: null, text: null, ...passage };
  }
  return {
    ...{ datasourceId, datasourceName: label.name, documentKey: toApiDocumentKey(label, documentKey), text },
    source: findDocumentUrl(source, label) ?? buildOriginalAddress(apiUrl, datasourceId),
    ...passage,
  };
}

/** Builds the API response of a dataset. */
export function buildDatasetResponse({ createdAt, ...dataset }: ListedDataset): EvaluationDatasetResponse {
  const { id, name, questions, evaluations, newestEvaluationId } = dataset;
  return { id, name, questions, evaluations, newestEvaluationId, createdAt: createdAt.toISOString() };
}
