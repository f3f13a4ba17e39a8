import { SearchRequest, type SearchResponse } from '@quarry/contracts';
import { requestOf } from '@quarry/service-kit';
import { parse } from '@quarry/validation';
import type { RequestHandler } from 'express';
import type { QueryContext } from '../context.js';
import { problem } from '../problems.js';
import { toFoundFragment } from '../retrieval/found-fragment.js';
import { KnowledgeUnavailable, retrieve, type RetrievedFragment } from '../retrieval/retrieve.js';
import { leavingOf } from './caller.js';

/** `POST /internal/search`: `SearchRequest` → `SearchResponse`. */
export function search(context: QueryContext): RequestHandler {
  return async (request, response) => {
    const body = parse(SearchRequest, request.body, 'ignore');
    const leaving = leavingOf(response);
    const parts = { ...context, log: requestOf(response).log };
    const retrieval = { texts: [{ text: body.query, weight: 1 }], scope: body, topK: body.topK };
    const found = await retrieve(parts, retrieval, leaving).catch((error: unknown) => refuse(error, leaving));
    if (found === undefined) return;
    response.json({ fragments: found.map(toFoundFragment) } satisfies SearchResponse);
  };
}

/** @returns undefined when there is nobody left to refuse */
function refuse(error: unknown, leaving: AbortSignal): RetrievedFragment[] | undefined {
  if (leaving.aborted) return undefined;
  if (!(error instanceof KnowledgeUnavailable)) throw error;
  throw problem('dependency_unavailable', 'The knowledge cannot be searched now. Try again.', {
    cause: error,
    headers: { 'Retry-After': '2' },
  });
}
