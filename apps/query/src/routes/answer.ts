import { AnswerRequest, type AnswerEvent } from '@quarry/contracts';
import { requestOf } from '@quarry/service-kit';
import { parse } from '@quarry/validation';
import type { RequestHandler } from 'express';
import { streamAnswer } from '../answering/stream-answer.js';
import type { QueryParts } from '../query-parts.js';
import { chooseModelOrThrow } from '../query-problems.js';
import { createDisconnectSignal } from './caller-disconnected.js';
import { openJsonLines } from './event-lines.js';

/**
 * Handles `POST /internal/answer`: `AnswerRequest` → one line of JSON per `AnswerEvent`. Refuses invalid requests before it sends
 * the headers, and sends the headers before it searches.
 *
 * @param stopping aborts with `ServiceStopping` when the service shuts down
 */
export function createAnswerHandler(parts: QueryParts, stopping: AbortSignal): RequestHandler {
  return async (request, response) => {
    const leaving = createDisconnectSignal(response);
    const body = parse(AnswerRequest, request.body, 'ignore');
    const model = chooseModelOrThrow(parts.models, body.generation.modelName);
    const { log } = requestOf(response);
    const lines = openJsonLines<AnswerEvent>(response, leaving);
    try {
      const events = streamAnswer({ parts, log, leaving, stopping }, body, model);
      for await (const event of events) await lines.write(event);
    } catch (error) {
      if (leaving.aborted) return;
      throw error;
    }
    response.end();
  };
}
