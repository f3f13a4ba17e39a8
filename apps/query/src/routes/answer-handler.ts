import { once } from 'node:events';
import { type AnswerEvent, AnswerRequest } from '@quarry/contracts';
import { getRequestScope } from '@quarry/service-kit';
import { parse } from '@quarry/validation';
import type { RequestHandler, Response } from 'express';
import { streamAnswer } from '../answering/stream-answer.js';
import type { QueryParts } from '../query-parts.js';
import { chooseModelOrThrow } from '../query-problems.js';
import { createDisconnectSignal } from './caller-disconnected.js';

/**
 * Handles `POST /internal/answer`: `AnswerRequest` → one line of JSON per `AnswerEvent`. Refuses invalid requests
 * before it sends the headers, and sends the headers before it searches.
 *
 * @param stopping aborts with `ServiceStopping` when the service shuts down
 */
export function createAnswerHandler(parts: QueryParts, stopping: AbortSignal): RequestHandler {
  return async (request, response) => {
    const leaving = createDisconnectSignal(response);
    const body = parse(AnswerRequest, request.body, 'ignore');
    const model = await chooseModelOrThrow(parts.models, body);
    const { log } = getRequestScope(response);
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

interface JsonLineWriter<Event> {
  /**
   * Writes an event, and resolves when the connection can accept more data.
   *
   * @throws the reason of `leaving` if the caller disconnects
   */
  write(event: Event): Promise<void>;
}

/**
 * Opens a response with one JSON value per line, and sends the headers at once. JSON text contains no raw line breaks
 * and escapes unpaired surrogates, so every text arrives unchanged.
 *
 * @param leaving aborts when the caller disconnects
 */
function openJsonLines<Event>(response: Response, leaving: AbortSignal): JsonLineWriter<Event> {
  response.status(200);
  response.setHeader('Content-Type', 'application/x-ndjson; charset=utf-8');
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('X-Accel-Buffering', 'no');
  response.flushHeaders();
  return {
    write: async (event) => {
      leaving.throwIfAborted();
      if (response.write(`${JSON.stringify(event)}\n`)) return;
      await once(response, 'drain', { signal: leaving }).catch((error: unknown) => {
        leaving.throwIfAborted();
        throw error;
      });
    },
  };
}
