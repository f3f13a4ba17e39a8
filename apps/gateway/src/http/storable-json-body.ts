import { parseCleanJson } from '@quarry/queue';
import { jsonBody as readJsonBody } from '@quarry/service-kit';
import type { RequestHandler } from 'express';

/**
 * Reads a JSON body of at most `limit` bytes, and replaces characters that the database cannot store.
 *
 * @throws Problem as `jsonBody` of the service kit
 */
export function storableJsonBody(limit: number): RequestHandler {
  return readJsonBody(limit, parseCleanJson);
}
