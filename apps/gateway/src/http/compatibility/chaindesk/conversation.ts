import { isJsonObject, getPageItems, translateJsonReply, type JsonObject, type Translator } from '../translator.js';

/** Maximum number of messages in a conversation, as in Chaindesk's API. */
const MAX_MESSAGES = 50;

/** Replaces the number in the field `messages` of a conversation by a list of the newest messages, newest first. */
export const CONVERSATION: Translator = {
  translateReply: async (reply, { readOther }) => {
    const page = await readOther('listMessages', { order: 'desc', limit: String(MAX_MESSAGES) });
    const messages = getPageItems(page).filter(isJsonObject).map(translateMessage);
    return translateJsonReply(reply, (body) => (isJsonObject(body) ? { ...body, messages } : body));
  },
};

function translateMessage({ id, role, createdAt, text }: JsonObject): JsonObject {
  return { id, from: role === 'user' ? 'human' : 'agent', createdAt, text };
}
