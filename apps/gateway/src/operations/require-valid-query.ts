import type { AgentQueryRequest, DatastoreQueryRequest } from '@quarry/contracts';
import { createFieldProblem } from '../checks/field-problem.js';
import { requireValidQuestionText } from '../checks/require-valid-question-text.js';
import { requireKnownFilters } from '../datastores/require-known-filters.js';
import type { Gateway } from '../gateway.js';

/** Checks a question to an agent. @throws Problem 400 */
export function requireValidQuestion(request: AgentQueryRequest, gateway: Gateway, raw: unknown): void {
  requireValidQueryAndFilters(request, gateway, raw);
  if (request.resumable === true && request.streaming !== true) {
    throw createFieldProblem('resumable', 'must be absent or false unless streaming is true, found true');
  }
}

/** Checks a search of a datastore. @throws Problem 400 */
export function requireValidSearch(request: DatastoreQueryRequest, gateway: Gateway, raw: unknown): void {
  requireValidQueryAndFilters(request, gateway, raw);
  const { topK, top_k: alias } = request;
  const numbers = [topK, alias].filter((value) => typeof value === 'number');
  if (new Set(numbers).size > 1) {
    throw createFieldProblem('top_k', `must be absent or equal to topK, which is ${topK}, found ${alias}`);
  }
}

function requireValidQueryAndFilters({ query }: { readonly query: string }, { limits }: Gateway, raw: unknown): void {
  requireValidQuestionText(query, limits.queryCharacters);
  requireKnownFilters(raw);
}
