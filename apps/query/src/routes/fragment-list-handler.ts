import { FragmentListRequest } from '@quarry/contracts';
import { parse } from '@quarry/validation';
import type { RequestHandler } from 'express';
import type { QueryParts } from '../query-parts.js';
import { listFragments } from '../retrieval/list-stored-fragments.js';
import { createDisconnectSignal } from './caller-disconnected.js';

/** Handles `POST /internal/fragments`: `FragmentListRequest` → `FragmentListResponse`. */
export function createFragmentListHandler(parts: QueryParts): RequestHandler {
  return async (request, response) => {
    const leaving = createDisconnectSignal(response);
    const body = parse(FragmentListRequest, request.body, 'ignore');
    try {
      response.json(await listFragments(parts, body, leaving));
    } catch (error) {
      // After a disconnect, there is no client to receive the error.
      if (!leaving.aborted) throw error;
    }
  };
}
