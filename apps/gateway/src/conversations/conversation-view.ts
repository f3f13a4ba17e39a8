import type { ConversationResponse, MessageResponse } from '@quarry/contracts';
import type { MessageRow } from '../database/tables/conversations.js';
import type { Conversation } from './conversation-repository.js';

/** A conversation as the API shows it. */
export function viewConversation({ id, agentId, visitorId, turns, ...row }: Conversation): ConversationResponse {
  return {
    id,
    agentId,
    visitorId,
    turns,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** A message as the API shows it. */
export function viewMessage({ id, role, text, state, sources, usage, ...row }: MessageRow): MessageResponse {
  const { answeredBy, visitorId } = row;
  return { id, role, text, state, sources, usage, answeredBy, visitorId, createdAt: row.createdAt.toISOString() };
}
