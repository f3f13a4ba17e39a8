import { isJsonObject, translateJsonReply, type Translator } from './translator.js';

/**
 * Translates an upsert of one document, which earlier versions called an update. The reply contains the id of the
 * document.
 */
export const SINGLE_DOCUMENT: Translator = {
  translateRequest: (request) => {
    const document: unknown = request.body;
    request.body = { documents: [document] };
  },
  translateReply: (reply) =>
    translateJsonReply(reply, (body) => {
      const ids = isJsonObject(body) ? body['ids'] : undefined;
      return { id: Array.isArray(ids) ? (ids[0] as unknown) : undefined };
    }),
};
