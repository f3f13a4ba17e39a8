import type { Request } from 'express';
import { translateJsonReply, type Translator } from '../translator.js';

/**
 * Wraps the array of results of a datastore query in `{ results }`, unless the client accepts only JSON. Chaindesk's
 * API returned both forms. LangChain's retrievers read the object. Zapier's app reads the array, and is the only client
 * whose header `Accept` accepts only JSON.
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
