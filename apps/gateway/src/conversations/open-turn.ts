import type { AgentQueryRequest, HistoryMessage } from '@quarry/contracts';
import { and, desc, eq, ne, sql } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { newId } from '../database/id.js';
import { FIRST_VISITOR } from './conversation-repository.js';
import { conversations, messages } from '../database/tables/conversations.js';
import { requireId, unknown } from '../http/path-id.js';
import type { Turn } from './turn.js';

export interface OpenTurn {
  readonly turn: Turn;
  /** What was said before, oldest first. */
  readonly history: readonly HistoryMessage[];
}

/** Messages of a conversation that the model is told, at most. */
const HISTORY_MESSAGES = 20;

/**
 * Gives a question its place: the next of the conversation that the request names, or the first of a new one, which is
 * written down with its first answer.
 *
 * @throws Problem 404 for a conversation that this agent has not had
 */
export async function openTurn(
  db: Queries,
  organizationId: string,
  agentId: string,
  request: AgentQueryRequest,
  now: Date,
): Promise<OpenTurn> {
  const given = isGiven(request.visitorId) ? request.visitorId : undefined;
  const asked = { organizationId, agentId, messageId: newId(), question: request.query, askedAt: now };
  if (!isGiven(request.conversationId)) {
    const visitorId = given ?? newId();
    return { turn: { ...asked, visitorId, conversationId: newId(), number: 1 }, history: [] };
  }
  const conversationId = requireId('conversation', request.conversationId);
  const { number, visitorId } = await takeNumber(db, organizationId, agentId, conversationId);
  const turn = { ...asked, visitorId: given ?? visitorId, conversationId, number };
  return { turn, history: await readHistory(db, organizationId, conversationId) };
}

/** Empty and null mean none, as the clients of this API send them. */
function isGiven(id: string | null | undefined): id is string {
  return id !== undefined && id !== null && id !== '';
}

async function takeNumber(
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
  if (row === undefined) throw unknown('conversation', conversationId);
  return row;
}

/** Failed turns are left out: the client asks those again. */
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
