import { SearchRequest } from '@quarry/contracts';
import { getRequestScope } from '@quarry/service-kit';
import { parse } from '@quarry/validation';
import type { RequestHandler } from 'express';
import type { QueryParts } from '../query-parts.js';
import { findFragments } from '../retrieval/find-fragments.js';
import { createDisconnectSignal } from './caller-disconnected.js';

/** Handles `POST /internal/search`: `SearchRequest` → `SearchResponse`. */
export function createSearchHandler(parts: QueryParts): RequestHandler {
  return async (request, response) => {
    const leaving = createDisconnectSignal(response);
    const body = parse(SearchRequest, request.body, 'ignore');
    try {
      response.json(await findFragments(parts, body, { log: getRequestScope(response).log, signal: leaving }));
    } catch (error) {
      // After a disconnect, there is no client to receive the error.
      if (!leaving.aborted) throw error;
    }
  };
}
