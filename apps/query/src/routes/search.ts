import { SearchRequest, type SearchResponse } from '@quarry/contracts';
import { requestOf } from '@quarry/service-kit';
import { parse } from '@quarry/validation';
import type { RequestHandler } from 'express';
import type { QueryContext } from '../context.js';
import { problem } from '../problems.js';
import { toFoundFragment } from '../retrieval/found-fragment.js';
import { KnowledgeUnavailable, retrieve } from '../retrieval/retrieve.js';
import { questionAlone } from '../retrieval/search-texts.js';
import { leavingOf } from './caller.js';

/** `POST /internal/search`: `SearchRequest` → `SearchResponse`. */
export function search(context: QueryContext): RequestHandler {
  return async (request, response) => {
    const body = parse(SearchRequest, request.body, 'ignore');
    const leaving = leavingOf(response);
    const parts = { ...context, log: requestOf(response).log };
    const retrieval = { question: questionAlone(body.query), scope: body, topK: body.topK };
    const found = await retrieve(parts, retrieval, leaving).catch((error: unknown) => {
      if (leaving.aborted) return undefined;
      throw refusal(error);
    });
    if (found === undefined) return;
    const fragments = found.fragments.map(toFoundFragment);
    response.json({ fragments, notes: found.notes } satisfies SearchResponse);
  };
}

function refusal(error: unknown): unknown {
  if (!(error instanceof KnowledgeUnavailable)) return error;
  return problem('dependency_unavailable', 'The knowledge cannot be searched now. Try again.', {
    cause: error,
    headers: { 'Retry-After': '2' },
  });
}
