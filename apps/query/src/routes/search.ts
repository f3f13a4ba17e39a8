import { SearchRequest } from '@quarry/contracts';
import { requestOf } from '@quarry/service-kit';
import { parse } from '@quarry/validation';
import type { RequestHandler } from 'express';
import type { QueryContext } from '../context.js';
import { find } from '../retrieval/find.js';
import { leavingOf } from './caller.js';

/** `POST /internal/search`: `SearchRequest` → `SearchResponse`. */
export function search(context: QueryContext): RequestHandler {
  return async (request, response) => {
    const body = parse(SearchRequest, request.body, 'ignore');
    const leaving = leavingOf(response);
    try {
      response.json(await find(context, body, { log: requestOf(response).log, signal: leaving }));
    } catch (error) {
      // There is nobody left to refuse.
      if (!leaving.aborted) throw error;
    }
  };
}
