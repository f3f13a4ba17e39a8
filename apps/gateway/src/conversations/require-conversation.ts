import type { Queries } from '../database/database.js';
import { requireId, notFound } from '../checks/require-id.js';
import { canReachAgent, type Caller } from '../access/caller.js';
import { findConversation, type Conversation } from './conversation-repository.js';

/** Returns a conversation with an agent that the caller can access. @throws Problem 404 */
export async function requireConversation(db: Queries, caller: Caller, id: string): Promise<Conversation> {
  const conversation = await findConversation(db, caller.organizationId, requireId('conversation', id));
  if (conversation === undefined || !canReachAgent(caller, conversation.agentId)) throw notFound('conversation', id);
  return conversation;
}
