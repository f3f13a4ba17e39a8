import type { Compatibility } from '@quarry/contracts';
import type { Caller } from '../../access/caller.js';
import type { Operation } from '../declaration.js';
import type { Exchange } from '../exchange.js';
import type { Reply } from '../reply.js';
import { requireAnyScope } from '../../keys/authenticate-key.js';
import { AGENT_QUERY, ANSWER_STREAM } from './chaindesk/answer.js';
import { CONVERSATION } from './chaindesk/conversation.js';
import { DATASTORE_QUERY } from './chaindesk/datastore-query.js';
import { LIST } from './chaindesk/lists.js';
import { ME } from './chaindesk/me.js';
import { hasSingleDocument } from './older-paths.js';
import { SINGLE_DOCUMENT } from './single-document.js';
import { parseJson, setDefaultQuery, type Translation, type Translator } from './translator.js';

/**
 * The translators for APIs whose format differs from Quarry's, keyed by API and operation id. An operation without a
 * translator has Quarry's format.
 */
export const TRANSLATORS: Readonly<Record<Compatibility, Readonly<Record<string, Translator>>>> = {
  chaindesk: {
    queryAgent: AGENT_QUERY,
    streamAnswer: ANSWER_STREAM,
    queryDatastore: DATASTORE_QUERY,
    listAgents: LIST,
    listDatastores: LIST,
    getConversation: CONVERSATION,
    getMe: ME,
  },
};

/**
 * Adds the translation of requests and replies to operations. It applies to API keys that have the format of another
 * API, and to older paths whose body differs from the current one. The translation changes neither the permissions, nor
 * the idempotency, nor the counted usage of an operation.
 */
export function addTranslators(operations: readonly Operation[]): readonly Operation[] {
  const translate = async (operation: Operation, exchange: Exchange): Promise<Reply> => {
    const translators = findRequestTranslators(operation.id, exchange);
    for (const { translateRequest } of translators) translateRequest?.(exchange.request);
    let reply = await operation.handle(exchange);
    const translation = createTranslation(operations, exchange);
    for (const { translateReply } of translators) reply = (await translateReply?.(reply, translation)) ?? reply;
    return reply;
  };
  return operations.map((operation) => ({ ...operation, handle: async (exchange) => translate(operation, exchange) }));
}

function createTranslation(operations: readonly Operation[], exchange: Exchange): Translation {
  const { request, caller } = exchange;
  return {
    request,
    readOther: async (operationId, query) => {
      const other = operations.find(({ id }) => id === operationId);
      if (other === undefined) throw new Error(`expected an operation with the id ${operationId}, found none`);
      requireAnyScope(caller, other.scopes);
      for (const [name, value] of Object.entries(query)) setDefaultQuery(request, name, value);
      const { content } = await other.handle(exchange);
      if (content === undefined || !('json' in content))
        throw new Error(`expected the operation ${operationId} to reply with JSON, found a reply without JSON`);
      return parseJson(content.json);
    },
  };
}

function findRequestTranslators(operationId: string, { request, caller }: Exchange): readonly Translator[] {
  const ofPath = hasSingleDocument(request) ? SINGLE_DOCUMENT : undefined;
  return [ofPath, findKeyTranslator(operationId, caller)].filter((found) => found !== undefined);
}

function findKeyTranslator(operationId: string, { compatibility }: Caller): Translator | undefined {
  return compatibility && TRANSLATORS[compatibility][operationId];
}
