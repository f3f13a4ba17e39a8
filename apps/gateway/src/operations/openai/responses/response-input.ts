import { createFieldProblem } from '../../../checks/field-problem.js';
import type { Caller } from '../../../access/caller.js';
import type { AgentRow } from '../../../database/tables/agents.js';
import { requireConversation } from '../../../conversations/conversation-repository.js';
import { listEarlierMessages, requireResponse } from '../../../conversations/response-repository.js';
import type { Queries } from '../../../database/database.js';
import type { InputMessage } from '../../../database/tables/conversations.js';
import { readMessage } from '../answers/messages.js';
import { SEARCH_PREFIX } from './response-items.js';
import { parseIdField } from '../protocol/resource-ids.js';
import type { ResponseRequest } from './response-request.js';

/**
 * Types of items that clients send back with earlier answers. These items have no effect, because Quarry searches
 * again.
 */
const IGNORED_TYPES: ReadonlySet<unknown> = new Set(['file_search_call', 'reasoning']);

/**
 * Reads the messages of the input. A reference to an earlier answer is replaced by the message with this answer.
 *
 * @throws Problem 400 that names the invalid part, 404 for a reference to an unknown answer
 */
export async function readInputMessages(
  db: Queries,
  caller: Caller,
  { input }: Pick<ResponseRequest, 'input'>,
): Promise<readonly InputMessage[]> {
  if (typeof input === 'string') return [{ role: 'user', text: input }];
  const messages: InputMessage[] = [];
  for (const [at, item] of input.entries()) {
    const path = `input.${at}`;
    const { type, id } = item as { readonly type?: unknown; readonly id?: unknown }; // an object of the client
    if (type === 'item_reference') messages.push(...(await readReferencedAnswer(db, caller, path, id)));
    else if (!IGNORED_TYPES.has(type)) messages.push(readMessage(path, item));
  }
  return messages;
}

/** Loads the answer to which an item refers, as a message. Returns no message for a reference to a search. */
async function readReferencedAnswer(
  db: Queries,
  caller: Caller,
  path: string,
  id: unknown,
): Promise<readonly InputMessage[]> {
  if (typeof id !== 'string') throw createFieldProblem(`${path}.id`, `must be the id of an item, found ${typeof id}`);
  if (id.startsWith(SEARCH_PREFIX)) return [];
  const { answer } = await requireResponse(db, caller, parseIdField('message', `${path}.id`, id));
  return [{ role: 'assistant', text: answer.text }];
}

/** Contains the id of the conversation that a question continues, and the messages that precede the question. */
export interface ConversationToContinue {
  readonly conversationId: string;
  /** The id of the answer after which the question continues. Null: after the last message of the conversation. */
  readonly previousMessageId: string | null;
  /** The messages of the conversation before the question, oldest first. */
  readonly messages: readonly InputMessage[];
}

/**
 * Loads the conversation that a request to an agent continues. Returns undefined for a new conversation.
 *
 * @throws Problem 404 for an unknown response or conversation, 400 for a response or conversation of another agent
 */
export async function loadContinuedConversation(
  db: Queries,
  caller: Caller,
  agent: Pick<AgentRow, 'id'>,
  { previous_response_id: responseId, conversation }: ResponseRequest,
): Promise<ConversationToContinue | undefined> {
  const { organizationId } = caller;
  if (responseId !== undefined) {
    const id = parseIdField('response', 'previous_response_id', responseId);
    const { agentId, answer } = await requireResponse(db, caller, id);
    requireSameAgent('previous_response_id', agent, agentId);
    const { conversationId } = answer;
    const messages = await listEarlierMessages(db, { organizationId, id: conversationId }, answer);
    return { conversationId, previousMessageId: id, messages };
  }
  if (conversation === undefined) return undefined;
  const text = typeof conversation === 'string' ? conversation : conversation.id;
  const id = parseIdField('conversation', 'conversation', text);
  requireSameAgent('conversation', agent, (await requireConversation(db, caller, id)).agentId);
  const messages = await listEarlierMessages(db, { organizationId, id }, undefined);
  return { conversationId: id, previousMessageId: null, messages };
}

/**
 * Refuses to continue a conversation of another agent.
 *
 * @param path the field of the request that names the conversation
 */
function requireSameAgent(path: string, { id }: Pick<AgentRow, 'id'>, agentId: string): void {
  if (id !== agentId) throw createFieldProblem(path, `must belong to the model agent:${id}, found agent:${agentId}`);
}
