import type { Connection } from './connection.js';
import { pollUntil } from './poll-until.js';
import type { EvaluationMethods } from './quarry-client.js';
import { createRequests } from './requests.js';
import type { Evaluation } from './types.js';

const ENDED: readonly Evaluation['status'][] = ['done', 'cancelled', 'error'];

export function createEvaluationMethods(connection: Connection): EvaluationMethods {
  const { ask, remove } = createRequests(connection);
  return {
    createEvaluation: async (json, options = {}) => ask('createEvaluation', { json, ...options }),
    listEvaluations: async (query = {}, { signal } = {}) => ask('listEvaluations', { query, signal }),
    listEvaluationDatasets: async (query = {}, { signal } = {}) => ask('listEvaluationDatasets', { query, signal }),
    getEvaluation: async (id, { signal } = {}) => ask('getEvaluation', { path: { id }, signal }),
    listEvaluationQuestions: async (id, query = {}, { signal } = {}) =>
      ask('listEvaluationQuestions', { path: { id }, query, signal }),
    compareEvaluations: async (id, withId, { signal } = {}) =>
      ask('compareEvaluations', { path: { id }, query: { with: withId }, signal }),
    cancelEvaluation: async (id, { signal } = {}) => ask('cancelEvaluation', { path: { id }, signal }),
    deleteEvaluation: async (id, { signal } = {}) => remove('deleteEvaluation', { path: { id }, signal }),
    untilEvaluated: async (id, { signal } = {}) =>
      pollUntil(
        () => ask('getEvaluation', { path: { id }, signal }),
        ({ status }) => ENDED.includes(status),
        signal,
      ),
  };
}
