import type { SearchRequest, SearchResponse } from '@quarry/contracts';
import type { Log } from '@quarry/service-kit';
import { problem } from '../query-problems.js';
import { KnowledgeUnavailable, type RetrievalParts, retrieveFragments, toFoundFragment } from './retrieve.js';
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
  const retrieval = { question: createQuestion(request.query), scope: request, topK: request.topK };
  try {
    const { fragments, notes } = await retrieveFragments({ ...parts, log }, retrieval, signal);
    return { fragments: fragments.map(toFoundFragment), notes };
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
