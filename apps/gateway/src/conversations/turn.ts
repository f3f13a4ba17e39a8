import type {
  AgentQueryRequest,
  AnswerNote,
  AnswerSource,
  AnswerUsage,
  HistoryMessage,
  MessageState,
} from '@quarry/contracts';
import { and, eq, sql } from 'drizzle-orm';
import { replaceUnstorableCharacters } from '@quarry/queue';
import type { Queries } from '../database/database.js';
import { newId } from '../database/id.js';
import { cacheStatementPerDatabase, UNNAMED_STATEMENT } from '../database/cache-statement-per-database.js';
import { isForeignKeyViolation } from '../database/query-error.js';
import { conversations, messages, type StoredResponse } from '../database/tables/conversations.js';
import { createNotFoundProblem, parseResourceId } from '../checks/parse-resource-id.js';
import type { AgentRow } from '../database/tables/agents.js';
import { FIRST_VISITOR, IS_ACCESSIBLE } from './conversation-repository.js';
import type { StoredPassage } from '../source-addresses/source-address.js';
import { isUnanswered } from './is-unanswered.js';

/** Contains a question that is being answered, and the position of the question in its conversation. */
export interface Turn {
  readonly organizationId: string;
  readonly agentId: string;
  readonly conversationId: string;
  /** True if the conversation is in the database. False: it is stored together with this turn. */
  readonly isConversationStored: boolean;
  /** Position of the question in the conversation, counted from 1. */
  readonly number: number;
  readonly visitorId: string;
  /** Id of the message that will contain the answer. */
  readonly messageId: string;
  readonly question: string;
  readonly askedAt: Date;
  /**
   * The additional data of an answer to `POST /v1/responses`. Absent: the question was not asked with this operation.
   */
  readonly response?: Omit<StoredResponse, 'notes'>;
}

/** Contains a question whose answer is not stored in a conversation. No stored conversation or message has its ids. */
export interface UnstoredTurn extends Pick<
  Turn,
  'organizationId' | 'conversationId' | 'visitorId' | 'messageId' | 'askedAt'
> {
  readonly isStored: false;
}

/** Contains a question with its position, and the messages before it that the model receives. */
export interface OpenTurn {
  readonly turn: Turn;
  /** The messages of the conversation before the question, oldest first. */
  readonly history: readonly HistoryMessage[];
}

/** Maximum number of messages before the question that the model receives. */
export const MAX_HISTORY_MESSAGES = 20;

/**
 * Assigns a question the next position in the conversation whose id the request contains. Without a conversation id,
 * the question becomes the first question of a new conversation, which is not stored yet.
 *
 * @throws Problem 404 if the agent has no conversation with this id
 */
export async function openTurn(
  db: Queries,
  { organizationId, id: agentId }: Pick<AgentRow, 'organizationId' | 'id'>,
  request: AgentQueryRequest,
  now: Date,
): Promise<OpenTurn> {
  const requestedVisitorId = isNonemptyId(request.visitorId) ? request.visitorId : undefined;
  const question = { organizationId, agentId, messageId: newId(), question: request.query, askedAt: now };
  if (!isNonemptyId(request.conversationId)) {
    const visitorId = requestedVisitorId ?? newId();
    const turn = { ...question, visitorId, conversationId: newId(), isConversationStored: false, number: 1 };
    return { turn, history: [] };
  }
  const conversationId = parseResourceId('conversation', request.conversationId);
  const { number, visitorId, history } = await allocateTurnAndLoadHistory(db, {
    organizationId,
    agentId,
    conversationId,
    askedAt: now,
  });
  const place = { conversationId, isConversationStored: true, number };
  return { turn: { ...question, visitorId: requestedVisitorId ?? visitorId, ...place }, history };
}

/**
 * Returns true for an id. Returns false for null and for an empty string, which some clients send instead of omitting
 * the field.
 */
function isNonemptyId(id: string | null | undefined): id is string {
  return id !== undefined && id !== null && id !== '';
}

type ContinuedConversation = Pick<Turn, 'organizationId' | 'agentId' | 'conversationId' | 'askedAt'>;

/**
 * Increments the number of questions of a conversation, stores the time of the question, and reads the newest messages
 * in chronological order. Omits the messages of failed turns, because clients ask those questions again.
 *
 * @throws Problem 404 if the agent has no such conversation
 */
async function allocateTurnAndLoadHistory(
  db: Queries,
  continued: ContinuedConversation,
): Promise<Pick<Turn, 'number' | 'visitorId'> & Pick<OpenTurn, 'history'>> {
  const [row] = await continueTurns(db).execute({ ...continued });
  if (row === undefined) throw createNotFoundProblem('conversation', continued.conversationId);
  return row;
}

const HISTORY = sql<readonly HistoryMessage[]>`coalesce((
  select json_agg(json_build_object('role', role, 'text', text) order by turn, role = 'assistant')
  from (${sql`
    select ${messages}.role, ${messages}.text, ${messages}.turn from ${messages}
    where ${messages}.organization_id = ${conversations}.organization_id and ${messages}.conversation_id = ${conversations}.id
      and ${messages}.state <> 'failed' and ${messages}.text <> ''
    order by ${messages}.turn desc, ${messages}.role = 'user' limit ${sql.raw(String(MAX_HISTORY_MESSAGES))}`}) as newest
), '[]')`;

const continueTurns = cacheStatementPerDatabase((db) =>
  db
    .update(conversations)
    .set({ turns: sql`${conversations.turns} + 1`, askedAt: sql`${sql.placeholder('askedAt')}` })
    .where(
      and(
        eq(conversations.organizationId, sql.placeholder('organizationId')),
        eq(conversations.agentId, sql.placeholder('agentId')),
        eq(conversations.id, sql.placeholder('conversationId')),
        IS_ACCESSIBLE,
      ),
    )
    .returning({ number: conversations.turns, visitorId: FIRST_VISITOR, history: HISTORY })
    .prepare(UNNAMED_STATEMENT),
);

/** Describes the answer to a question, or the part of the answer that was received. */
interface AnswerOutcome {
  readonly state: MessageState;
  /** The text of the answer. If the answer failed or was interrupted, the text that was received until then. */
  readonly text: string;
  readonly sources: readonly StoredPassage<AnswerSource>[];
  readonly usage: AnswerUsage | null;
  readonly answeredBy: 'model' | 'extractive' | null;
  readonly notes: readonly AnswerNote[];
}

/**
 * Stores a question and its answer as two messages, in one statement. Stores nothing if the conversation or its agent
 * was deleted after the question was asked.
 */
export async function recordTurn(db: Queries, turn: Turn, answer: AnswerOutcome, now: Date): Promise<void> {
  const { organizationId, conversationId, visitorId } = turn;
  const unanswered = isUnanswered(answer) ? 1 : 0;
  const conversation = db
    .$with('conversation')
    .as(
      turn.isConversationStored
        ? updateConversation(db, turn, unanswered, now)
        : insertConversation(db, turn, unanswered, now),
    );
  const both = {
    organizationId,
    conversationId,
    turn: turn.number,
    // Reads from the CTE, which locks the row of the conversation first. So the values of `place` are in commit order,
    // and no other turn gets a place between a question and its answer. If the conversation was deleted, the foreign
    // key rejects the messages.
    place: sql`coalesce((select nextval('quarry.messages_place_seq') from ${conversation}), 0)`,
    visitorId,
    state: answer.state,
  };
  const stored = db
    .with(conversation)
    .insert(messages)
    .values([
      { ...both, id: newId(), role: 'user', text: turn.question, sources: [], createdAt: turn.askedAt },
      {
        ...both,
        id: turn.messageId,
        role: 'assistant',
        text: replaceUnstorableCharacters(answer.text),
        sources: answer.sources.map((source) =>
          Object.assign({}, source, { text: replaceUnstorableCharacters(source.text) }),
        ),
        usage: answer.usage,
        answeredBy: answer.answeredBy,
        response: turn.response && { ...turn.response, notes: answer.notes },
        createdAt: now,
      },
    ]);
  await stored.catch((error: unknown) => {
    if (!isForeignKeyViolation(error)) throw error;
  });
}

/** Builds the row of a new conversation whose first answer has not ended. The conversation has no messages. */
export function buildEmptyConversation(turn: Turn): typeof conversations.$inferInsert {
  const { organizationId, agentId, conversationId: id, number: turns, askedAt, visitorId } = turn;
  const times = { askedAt, createdAt: askedAt, updatedAt: askedAt, emptySince: askedAt };
  return { id, organizationId, agentId, turns, ...times, firstVisitorId: visitorId };
}

// The return types are inferred, because Drizzle does not export the types of queries.
/**
 * Builds the statement that inserts a new conversation when its first answer ends.
 *
 * @param unanswered 1 if the answer left its question unanswered, otherwise 0
 */
function insertConversation(db: Queries, turn: Turn, unanswered: number, now: Date) {
  const ended = { unanswered, updatedAt: now, emptySince: null, firstVisitorId: null };
  return db
    .insert(conversations)
    .values({ ...buildEmptyConversation(turn), ...ended })
    .returning({ id: conversations.id });
}

/**
 * Builds the statement that updates a stored conversation when an answer ends.
 *
 * @param unanswered 1 if the answer left its question unanswered, otherwise 0
 */
function updateConversation(db: Queries, { organizationId, conversationId }: Turn, unanswered: number, now: Date) {
  return db
    .update(conversations)
    .set({
      updatedAt: now,
      unanswered: sql`${conversations.unanswered} + ${unanswered}`,
      emptySince: null,
      firstVisitorId: null,
    })
    .where(and(eq(conversations.organizationId, organizationId), eq(conversations.id, conversationId)))
    .returning({ id: conversations.id });
}
