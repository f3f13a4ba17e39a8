import { EmbedRequest } from '@quarry/contracts';
import { getRequestScope } from '@quarry/service-kit';
import { parse } from '@quarry/validation';
import type { RequestHandler } from 'express';
import type { QueryParts } from '../query-parts.js';
import { embedClientTexts } from '../embedding/embed-client-texts.js';
import { createDisconnectSignal } from './caller-disconnected.js';

/** Handles `POST /internal/embed`: `EmbedRequest` → `EmbedResponse`. */
export function createEmbedHandler(parts: Pick<QueryParts, 'getEmbedder'>): RequestHandler {
  return async (request, response) => {
    const leaving = createDisconnectSignal(response);
    const body = parse(EmbedRequest, request.body, 'ignore');
    try {
      response.json(await embedClientTexts(parts, body, { log: getRequestScope(response).log, signal: leaving }));
    } catch (error) {
      // After a disconnect, there is no client to receive the error.
      if (!leaving.aborted) throw error;
    }
  };
}
