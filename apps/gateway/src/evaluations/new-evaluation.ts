import type { CreateEvaluationRequest, NewEvaluationDataset } from '@quarry/contracts';
import type { Caller } from '../access/caller.js';
import { requireAgent } from '../agents/agent-repository.js';
import { createFieldProblem } from '../checks/field-problem.js';
import type { Queries } from '../database/database.js';
import { requireDatastore } from '../datastores/datastore-repository.js';
import type { Gateway } from '../gateway.js';
import type { NewDataset } from './dataset-repository.js';
import type { NewEvaluation } from './evaluation-repository.js';
import { loadFeedbackQuestions } from './load-feedback-questions.js';
import { parseDatasetQuestions, requireOneQuestionFormat } from './parse-dataset-questions.js';

/** The settings that evaluations of datastores support. Evaluations of agents support all settings except `topK`. */
const DATASTORE_SETTINGS = ['topK', 'filters'];

/**
 * Refuses a request without exactly one dataset and one target (a datastore or an agent), or with settings that the
 * target does not support.
 *
 * @throws Problem 400
 */
export function requireValidEvaluation({
  dataset,
  datasetId,
  datastoreId,
  agentId,
  settings,
}: CreateEvaluationRequest): void {
  requireExactlyOne('dataset', 'datasetId', [dataset, datasetId]);
  requireExactlyOne('datastoreId', 'agentId', [datastoreId, agentId]);
  const names = Object.entries(settings ?? {}).flatMap(([name, value]: [string, unknown]) =>
    isPresent(value) ? name : [],
  );
  if (isPresent(agentId) && names.includes('topK')) {
    throw createFieldProblem('settings.topK', 'must be absent for an agent, found a value');
  }
  const unused = names.find((name) => !DATASTORE_SETTINGS.includes(name));
  if (isPresent(datastoreId) && unused !== undefined) {
    throw createFieldProblem(`settings.${unused}`, 'must be absent for a datastore, found a value');
  }
}

/** Refuses a request unless it has exactly one of two fields. @param values the values of both @throws Problem 400 */
function requireExactlyOne(field: string, otherField: string, values: readonly unknown[]): void {
  const given = values.filter(isPresent).length;
  if (given !== 1)
    throw createFieldProblem(field, `or ${otherField} must be present, and not both; found ${given} of them`);
}

function isPresent<T>(value: T): value is NonNullable<T> {
  return value !== undefined && value !== null;
}

interface EvaluationSources extends Pick<Gateway, 'limits'> {
  readonly db: Queries;
}

/**
 * Reads the questions of a new evaluation, and finds the datastore or agent to evaluate.
 *
 * @throws Problem 400 for invalid questions, 404 for an unknown datastore or agent
 */
export async function buildNewEvaluation(
  { db, limits }: EvaluationSources,
  caller: Caller,
  { name, dataset, datasetId, datastoreId, agentId, settings }: CreateEvaluationRequest,
): Promise<NewEvaluation> {
  const stored = isPresent(dataset) ? await buildNewDataset({ db, limits }, caller, dataset) : (datasetId ?? '');
  return {
    name: name ?? undefined,
    dataset: stored,
    datastoreId: isPresent(datastoreId) ? (await requireDatastore(db, caller, datastoreId)).id : null,
    agentId: isPresent(agentId) ? (await requireAgent(db, caller, agentId)).id : null,
    settings: removeNullSettings(settings),
  };
}

/**
 * Reads the questions of a new dataset from the request, or builds them from answers with positive feedback.
 *
 * @throws Problem 400 for invalid questions, 404 for an unknown agent
 */
async function buildNewDataset(
  { db, limits }: EvaluationSources,
  caller: Caller,
  dataset: NewEvaluationDataset,
): Promise<NewDataset> {
  const { feedback } = dataset;
  const name = dataset.name ?? undefined;
  if (!isPresent(feedback)) return { name, questions: parseDatasetQuestions(dataset, limits) };
  requireOneQuestionFormat(dataset);
  const questions = await loadFeedbackQuestions(db, caller, feedback, limits.evaluationQuestions);
  if (questions.length > 0) return { name: name ?? 'Feedback', questions };
  throw createFieldProblem('dataset.feedback', 'must select an answer with positive feedback and a source, found none');
}

function removeNullSettings(settings: CreateEvaluationRequest['settings']): NewEvaluation['settings'] {
  const given = Object.entries(settings ?? {}).filter(([, value]: [string, unknown]) => isPresent(value));
  return Object.fromEntries(given);
}
