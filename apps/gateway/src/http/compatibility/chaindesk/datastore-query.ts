import type { Request } from 'express';
import { translateJsonReply, type Translator } from '../translator.js';

/**
 * Translates the results of a datastore query to `{ results }`. Chaindesk's API returned both forms: LangChain's
 * retrievers read the object, and Zapier's app reads the array. Only Zapier's app sends a header `Accept` that accepts
 * nothing but JSON.
 */
export const DATASTORE_QUERY: Translator = {
  translateReply: (reply, { request }) =>
    acceptsOnlyJson(request)
      ? reply
      : translateJsonReply(reply, (body) => (Array.isArray(body) ? { results: body as unknown } : body)),
};

function acceptsOnlyJson(request: Request): boolean {
  return /^application\/json\b[^,]*$/i.test(request.get('accept') ?? '');
}
