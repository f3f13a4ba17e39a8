import type { Connection } from './connection.js';
import { pollUntil } from './poll-until.js';
import { createRequestMethods } from './requests.js';
import type { List } from './paged-list.js';
import type { CallOptions, CreateOptions } from './call-options.js';
import type { AnswerOf, QueryOf } from './operation-types.js';
import type * as Types from './types.js';

/** Provides the operations on evaluations. */
export interface EvaluationMethods {
  /** Starts an evaluation of a datastore or an agent. */
  createEvaluation(request: Types.CreateEvaluationRequest, options?: CreateOptions): Promise<Types.Evaluation>;
  listEvaluations(query?: QueryOf<'listEvaluations'>, options?: CallOptions): List<AnswerOf<'listEvaluations'>>;
  /** Lists the stored datasets of questions, newest first. `createEvaluation` accepts the id of such a dataset. */
  listEvaluationDatasets(
    query?: QueryOf<'listEvaluationDatasets'>,
    options?: CallOptions,
  ): List<AnswerOf<'listEvaluationDatasets'>>;
  getEvaluation(id: string, options?: CallOptions): Promise<Types.Evaluation>;
  /** Lists the questions of an evaluation with their outcomes, in the order of the dataset. */
  listEvaluationQuestions(
    id: string,
    query?: QueryOf<'listEvaluationQuestions'>,
    options?: CallOptions,
  ): List<AnswerOf<'listEvaluationQuestions'>>;
  /** Compares the evaluation `id` with the evaluation `withId` of the same dataset. */
  compareEvaluations(id: string, withId: string, options?: CallOptions): Promise<Types.EvaluationComparison>;
  cancelEvaluation(id: string, options?: CallOptions): Promise<Types.Evaluation>;
  deleteEvaluation(id: string, options?: CallOptions): Promise<void>;
  /** Waits until the status of the evaluation is `done`, `cancelled` or `error`. */
  untilEvaluated(id: string, options?: CallOptions): Promise<Types.Evaluation>;
}

const ENDED: readonly Types.Evaluation['status'][] = ['done', 'cancelled', 'error'];

export function createEvaluationMethods(connection: Connection): EvaluationMethods {
  const { requestJson, requestList, requestRemoval } = createRequestMethods(connection);
  return {
    createEvaluation: async (json, options = {}) => requestJson('createEvaluation', { json, ...options }),
    listEvaluations: (query = {}, { signal } = {}) => requestList('listEvaluations', { query, signal }),
    listEvaluationDatasets: (query = {}, { signal } = {}) => requestList('listEvaluationDatasets', { query, signal }),
    getEvaluation: async (id, { signal } = {}) => requestJson('getEvaluation', { path: { id }, signal }),
    listEvaluationQuestions: (id, query = {}, { signal } = {}) =>
      requestList('listEvaluationQuestions', { path: { id }, query, signal }),
    compareEvaluations: async (id, withId, { signal } = {}) =>
      requestJson('compareEvaluations', { path: { id }, query: { with: withId }, signal }),
    cancelEvaluation: async (id, { signal } = {}) => requestJson('cancelEvaluation', { path: { id }, signal }),
    deleteEvaluation: async (id, { signal } = {}) => requestRemoval('deleteEvaluation', { path: { id }, signal }),
    untilEvaluated: async (id, { signal } = {}) =>
      pollUntil(
        () => requestJson('getEvaluation', { path: { id }, signal }),
        ({ status }) => ENDED.includes(status),
        signal,
      ),
  };
}
