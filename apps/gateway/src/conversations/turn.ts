import type {
  AgentQueryRequest,
  AnswerNote,
  AnswerSource,
  AnswerUsage,
  HistoryMessage,
  MessageState,
} from '@quarry/contracts';
import { and, desc, eq, ne, sql } from 'drizzle-orm';
import { cleanText } from '@quarry/queue';
import type { Queries } from '../database/database.js';
import { newId } from '../database/id.js';
import { conversations, messages, type StoredResponse } from '../database/tables/conversations.js';
import { createNotFoundProblem, requireId } from '../checks/require-id.js';
import { type AgentRow, agents } from '../database/tables/agents.js';
import { FIRST_VISITOR } from './conversation-repository.js';
import type { StoredPassage } from '../source-addresses/source-address.js';
import { isUnanswered } from './is-unanswered.js';

/** Contains a question that is being answered, and its position in its conversation. */
export interface Turn {
  readonly organizationId: string;
  readonly agentId: string;
  readonly conversationId: string;
  /** Position of the question in the conversation, counted from 1. */
  readonly number: number;
  readonly visitorId: string;
  /** Id of the message that will contain the answer. */
  readonly messageId: string;
  readonly question: string;
  readonly askedAt: Date;
  /** The data of the response that the answer creates. Absent: the question was not asked with `POST /v1/responses`. */
  readonly response?: Omit<StoredResponse, 'notes'>;
}

/** Contains a question whose answer is not stored in a conversation. Its ids identify nothing that can be loaded. */
export interface UnstoredTurn extends Pick<
  Turn,
  'organizationId' | 'conversationId' | 'visitorId' | 'messageId' | 'askedAt'
> {
  readonly isStored: false;
}

/** Contains a question with its position, and the earlier messages that the model receives. */
interface OpenTurn {
  readonly turn: Turn;
  /** Earlier messages of the conversation, oldest first. */
  readonly history: readonly HistoryMessage[];
}

/** Maximum number of earlier messages that the model receives. */
export const HISTORY_MESSAGES = 20;

/**
 * Assigns a question the next position in the conversation that the request names. Without a conversation id, the question is the
 * first one of a new conversation, which is stored together with the first answer.
 *
 * @throws Problem 404 if the agent has no conversation with this id
 */
export async function openTurn(
  db: Queries,
  { organizationId, id: agentId }: Pick<AgentRow, 'organizationId' | 'id'>,
  request: AgentQueryRequest,
  now: Date,
): Promise<OpenTurn> {
  const requestedVisitorId = isPresentConversation(request.visitorId) ? request.visitorId : undefined;
  const question = { organizationId, agentId, messageId: newId(), question: request.query, askedAt: now };
  if (!isPresentConversation(request.conversationId)) {
    const visitorId = requestedVisitorId ?? newId();
    return { turn: { ...question, visitorId, conversationId: newId(), number: 1 }, history: [] };
  }
  const conversationId = requireId('conversation', request.conversationId);
  const { number, visitorId } = await allocateTurnNumber(db, organizationId, agentId, conversationId);
  const turn = { ...question, visitorId: requestedVisitorId ?? visitorId, conversationId, number };
  return { turn, history: await readHistory(db, organizationId, conversationId) };
}

/** Returns true if a request contains an id. Some clients send null or an empty string instead of omitting the field. */
function isPresentConversation(id: string | null | undefined): id is string {
  return id !== undefined && id !== null && id !== '';
}

/** Increments the number of questions of a conversation. @throws Problem 404 if the agent has no such conversation */
async function allocateTurnNumber(
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
  if (row === undefined) throw createNotFoundProblem('conversation', conversationId);
  return row;
}

/** Returns the newest messages of a conversation, oldest first. Omits failed turns, because clients ask those questions again. */
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

/** Describes the answer to a question, or the part of it that was received. */
interface AnswerOutcome {
  readonly state: MessageState;
  /** The text of the answer. If the answer failed or was interrupted, the text that was received until then. */
  readonly text: string;
  readonly sources: readonly StoredPassage<AnswerSource>[];
  readonly usage: AnswerUsage | null;
  readonly answeredBy: 'model' | 'extractive' | null;
  readonly notes: readonly AnswerNote[];
}

/** Stores a question and its answer as two messages. Stores nothing if the conversation or its agent was deleted in the meantime. */
export async function recordTurn(db: Queries, turn: Turn, answer: AnswerOutcome, now: Date): Promise<void> {
  const { organizationId, conversationId, visitorId } = turn;
  const both = { organizationId, conversationId, turn: turn.number, visitorId, state: answer.state };
  await db.transaction(async (tx) => {
    const unanswered = isUnanswered(answer) ? 1 : 0;
    const store = turn.number === 1 ? createConversation : updateConversation;
    if (!(await store(tx, turn, unanswered, now))) return;
    await tx.insert(messages).values([
      { ...both, id: newId(), role: 'user', text: turn.question, sources: [], createdAt: turn.askedAt },
      {
        ...both,
        id: turn.messageId,
        role: 'assistant',
        text: cleanText(answer.text),
        sources: answer.sources.map((source) => Object.assign({}, source, { text: cleanText(source.text) })),
        usage: answer.usage,
        answeredBy: answer.answeredBy,
        response: turn.response && { ...turn.response, notes: answer.notes },
        createdAt: now,
      },
    ]);
  });
}

/** Creates the conversation of a first question. @returns false if the agent was deleted in the meantime */
async function createConversation(tx: Queries, turn: Turn, unanswered: number, now: Date): Promise<boolean> {
  const { organizationId, agentId, conversationId: id, askedAt } = turn;
  const isAgent = and(eq(agents.organizationId, organizationId), eq(agents.id, agentId));
  const [agent] = await tx.select({ id: agents.id }).from(agents).where(isAgent).for('key share');
  if (agent === undefined) return false;
  const counts = { turns: 1, unanswered };
  await tx.insert(conversations).values({ id, organizationId, agentId, ...counts, createdAt: askedAt, updatedAt: now });
  return true;
}

/** Sets the time of the latest answer of a conversation. @returns false if the conversation was deleted in the meantime */
async function updateConversation(
  tx: Queries,
  { organizationId, conversationId }: Turn,
  unanswered: number,
  now: Date,
): Promise<boolean> {
  const isThis = and(eq(conversations.organizationId, organizationId), eq(conversations.id, conversationId));
  const found = await tx
    .update(conversations)
    .set({ updatedAt: now, unanswered: sql`${conversations.unanswered} + ${unanswered}` })
    .where(isThis)
    .returning({ id: conversations.id });
  return found.length > 0;
}
