import { AnswerRequest, type AnswerEvent } from '@quarry/contracts';
import { requestOf } from '@quarry/service-kit';
import { parse } from '@quarry/validation';
import type { RequestHandler } from 'express';
import { streamAnswer } from '../answering/stream-answer.js';
import type { QueryParts } from '../query-parts.js';
import { chooseOrRefuse } from '../query-problems.js';
import { leavingOf } from './caller.js';
import { openLines } from './event-lines.js';

/**
 * `POST /internal/answer`: `AnswerRequest` → a line of JSON for each `AnswerEvent`. What can be refused is refused before the
 * headers, and these leave before anything is searched.
 *
 * @param stopping aborts with `ServiceStopping` when answers have to end
 */
export function answer(parts: QueryParts, stopping: AbortSignal): RequestHandler {
  return async (request, response) => {
    const leaving = leavingOf(response);
    const body = parse(AnswerRequest, request.body, 'ignore');
    const model = chooseOrRefuse(parts.models, body.generation.modelName);
    const { log } = requestOf(response);
    const lines = openLines<AnswerEvent>(response, leaving);
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
