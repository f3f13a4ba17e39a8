import { AnswerRequest } from '@quarry/contracts';
import { getRequestScope } from '@quarry/service-kit';
import { parse } from '@quarry/validation';
import type { RequestHandler } from 'express';
import { previewPrompt } from '../answering/preview-prompt.js';
import type { QueryParts } from '../query-parts.js';
import { createDisconnectSignal } from './caller-disconnected.js';

/** Handles `POST /internal/prompt`: `AnswerRequest` → `PromptPreviewResponse`. */
export function createPromptHandler(parts: QueryParts): RequestHandler {
  return async (request, response) => {
    const leaving = createDisconnectSignal(response);
    const body = parse(AnswerRequest, request.body, 'ignore');
    try {
      response.json(await previewPrompt(parts, body, { log: getRequestScope(response).log, signal: leaving }));
    } catch (error) {
      // After a disconnect, there is no client to receive the error.
      if (!leaving.aborted) throw error;
    }
  };
}
