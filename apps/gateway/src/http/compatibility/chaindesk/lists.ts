import { MAX_PAGE_SIZE } from '@quarry/contracts';
import { isJsonObject, getPageItems, setDefaultQuery, translateJsonReply, type Translator } from '../translator.js';

/**
 * Translates a page of a list to an array. Without `limit`, the page has the maximum size, because clients of
 * Chaindesk's API read only one page. The header `Quarry-Next-Cursor` contains the cursor of the next page.
 */
export const LIST: Translator = {
  translateRequest: (request) => {
    setDefaultQuery(request, 'limit', String(MAX_PAGE_SIZE));
  },
  translateReply: (reply) => {
    let cursor: unknown;
    const translated = translateJsonReply(reply, (page) => {
      cursor = isJsonObject(page) ? page['next_cursor'] : undefined;
      return getPageItems(page);
    });
    if (typeof cursor !== 'string') return translated;
    return { ...translated, headers: { ...translated.headers, 'Quarry-Next-Cursor': cursor } };
  },
};
