import type { SearchRequest, SearchResponse } from '@quarry/contracts';
import type { Log } from '@quarry/service-kit';
import { problem } from '../query-problems.js';
import {
  KnowledgeUnavailable,
  type Retrieval,
  type RetrievalParts,
  type Retrieved,
  retrieveFragments,
  toFoundFragment,
} from './retrieve.js';
import { SearchRecorder } from './search-recorder.js';
import { SearchOverloaded } from './search-admission.js';
import { createQuestion } from './search-texts.js';

const OVERLOADED = 'Too many searches are running and queued. Try again later.';

/**
 * Returns the results of a search request.
 *
 * @throws Problem `dependency_unavailable`, `overloaded`
 * @throws the signal's reason when it aborts
 */
export async function findFragments(
  parts: Omit<RetrievalParts, 'log'>,
  request: SearchRequest,
  { log, signal }: { readonly log: Log; readonly signal: AbortSignal },
): Promise<SearchResponse> {
  const { query, furtherQueries = [], topK } = request;
  const recorder = request.explain === true ? new SearchRecorder(query) : undefined;
  const question = createQuestion(query, ...furtherQueries);
  const retrieval = { question, scope: request, topK, ...(recorder && { recorder }) };
  const { fragments, notes } = await retrieveOrThrow({ ...parts, log }, retrieval, signal);
  const explanation = recorder && { explanation: recorder.build(fragments, toFoundFragment) };
  return { fragments: fragments.map(toFoundFragment), notes, ...explanation };
}

/** Retrieves fragments. @throws Problem `dependency_unavailable`, `overloaded`; the signal's reason when it aborts */
export async function retrieveOrThrow(
  parts: RetrievalParts,
  retrieval: Retrieval,
  signal: AbortSignal,
): Promise<Retrieved> {
  try {
    return await retrieveFragments(parts, retrieval, signal);
  } catch (error) {
    if (error instanceof SearchOverloaded) {
      throw problem('overloaded', OVERLOADED, {
        cause: error,
        headers: { 'Retry-After': String(error.retryAfterSeconds) },
      });
    }
    if (!(error instanceof KnowledgeUnavailable)) throw error;
    throw problem('dependency_unavailable', 'The search of the datastores is unavailable. Retry in a few seconds.', {
      cause: error,
      headers: { 'Retry-After': '2' },
    });
  }
}
