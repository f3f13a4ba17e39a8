import type { Queries } from '../database/database.js';
import { requireId, unknown } from '../checks/require-id.js';
import { mayReachAgent, type Caller } from '../access/caller.js';
import { findConversation, type Conversation } from './conversation-repository.js';

/** Returns a conversation with an agent that the caller may use. @throws Problem 404 */
export async function requireConversation(db: Queries, caller: Caller, id: string): Promise<Conversation> {
  const conversation = await findConversation(db, caller.organizationId, requireId('conversation', id));
  if (conversation === undefined || !mayReachAgent(caller, conversation.agentId)) throw unknown('conversation', id);
  return conversation;
}
