import { ModelListRequest, ModelTestRequest } from '@quarry/contracts';
import { parse } from '@quarry/validation';
import type { RequestHandler } from 'express';
import type { QueryParts } from '../query-parts.js';
import { createDisconnectSignal } from './caller-disconnected.js';

/** Handles `POST /internal/models/list`: `ModelListRequest` → `ModelListResponse`. */
export function createModelListHandler({ models }: Pick<QueryParts, 'models'>): RequestHandler {
  return (request, response) => {
    response.json(models.list(parse(ModelListRequest, request.body, 'ignore').connections));
  };
}

/** Handles `POST /internal/models/test`: `ModelTestRequest` → `ModelTestResponse`. */
export function createModelTestHandler({ models }: Pick<QueryParts, 'models'>): RequestHandler {
  return async (request, response) => {
    const leaving = createDisconnectSignal(response);
    const { connection } = parse(ModelTestRequest, request.body, 'ignore');
    try {
      response.json(await models.test(connection, leaving));
    } catch (error) {
      // After a disconnect, there is no client to receive the error.
      if (!leaving.aborted) throw error;
    }
  };
}
