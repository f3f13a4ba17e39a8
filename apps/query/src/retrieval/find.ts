import type { SearchRequest, SearchResponse } from '@quarry/contracts';
import type { Log } from '@quarry/service-kit';
import type { QueryContext } from '../context.js';
import { problem } from '../problems.js';
import { toFoundFragment } from './found-fragment.js';
import { KnowledgeUnavailable, retrieve } from './retrieve.js';
import { questionAlone } from './search-texts.js';

/**
 * What a search finds.
 *
 * @throws Problem `dependency_unavailable`
 * @throws the signal's reason when it aborts
 */
export async function find(
  context: Omit<QueryContext, 'internalToken'>,
  request: SearchRequest,
  { log, signal }: { readonly log: Log; readonly signal: AbortSignal },
): Promise<SearchResponse> {
  const retrieval = { question: questionAlone(request.query), scope: request, topK: request.topK };
  try {
    const { fragments, notes } = await retrieve({ ...context, log }, retrieval, signal);
    return { fragments: fragments.map(toFoundFragment), notes };
  } catch (error) {
    if (!(error instanceof KnowledgeUnavailable)) throw error;
    throw problem('dependency_unavailable', 'The knowledge cannot be searched now. Try again.', {
      cause: error,
      headers: { 'Retry-After': '2' },
    });
  }
}
