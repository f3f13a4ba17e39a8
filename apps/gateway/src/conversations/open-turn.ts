import type { AgentQueryRequest, HistoryMessage } from '@quarry/contracts';
import { and, desc, eq, ne, sql } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { newId } from '../database/id.js';
import type { AgentRow } from '../database/tables/agents.js';
import { FIRST_VISITOR } from './conversation-repository.js';
import { conversations, messages } from '../database/tables/conversations.js';
import { requireId, notFound } from '../checks/require-id.js';
import type { Turn } from './turn.js';

export interface OpenTurn {
  readonly turn: Turn;
  /** Earlier messages, oldest first. */
  readonly history: readonly HistoryMessage[];
}

/** Maximum number of earlier messages that the model receives. */
const HISTORY_MESSAGES = 20;

/**
 * Assigns a question its position: the next one of the conversation that the request names, or the first of a new conversation,
 * which is stored with its first answer.
 *
 * @throws Problem 404 for a conversation that this agent does not have
 */
export async function openTurn(
  db: Queries,
  { organizationId, id: agentId }: Pick<AgentRow, 'organizationId' | 'id'>,
  request: AgentQueryRequest,
  now: Date,
): Promise<OpenTurn> {
  const requestedVisitorId = isGiven(request.visitorId) ? request.visitorId : undefined;
  const question = { organizationId, agentId, messageId: newId(), question: request.query, askedAt: now };
  if (!isGiven(request.conversationId)) {
    const visitorId = requestedVisitorId ?? newId();
    return { turn: { ...question, visitorId, conversationId: newId(), number: 1 }, history: [] };
  }
  const conversationId = requireId('conversation', request.conversationId);
  const { number, visitorId } = await takeTurnNumber(db, organizationId, agentId, conversationId);
  const turn = { ...question, visitorId: requestedVisitorId ?? visitorId, conversationId, number };
  return { turn, history: await readHistory(db, organizationId, conversationId) };
}

/** Returns true when the client has sent an id. Some clients send null or an empty string for none. */
function isGiven(id: string | null | undefined): id is string {
  return id !== undefined && id !== null && id !== '';
}

async function takeTurnNumber(
  db: Queries,
  organizationId: string,
  agentId: string,
  conversationId: string,
): Promise<{ readonly number: number; readonly visitorId: string }> {
  const [row] = await db
    .update(conversations)
    .set({ turns: sql`${conversations.turns} + 1` })
    .where(
      and(
        eq(conversations.organizationId, organizationId),
        eq(conversations.agentId, agentId),
        eq(conversations.id, conversationId),
      ),
    )
    .returning({ number: conversations.turns, visitorId: FIRST_VISITOR });
  if (row === undefined) throw notFound('conversation', conversationId);
  return row;
}

/** Returns the earlier messages without failed turns, which the client asks again. */
async function readHistory(
  db: Queries,
  organizationId: string,
  conversationId: string,
): Promise<readonly HistoryMessage[]> {
  const newest = await db
    .select({ role: messages.role, text: messages.text })
    .from(messages)
    .where(
      and(
        eq(messages.organizationId, organizationId),
        eq(messages.conversationId, conversationId),
        ne(messages.state, 'failed'),
        ne(messages.text, ''),
      ),
    )
    .orderBy(desc(messages.turn), sql`${messages.role} = 'user'`)
    .limit(HISTORY_MESSAGES);
  return newest.toReversed();
}
