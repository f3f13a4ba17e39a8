import { and, eq, isNull, sql } from 'drizzle-orm';
import { buildEmptyConversation, type Turn } from '../conversations/turn.js';
import type { Queries } from '../database/database.js';
import { answerStreams, type StoredStreamEnd } from '../database/tables/answer-streams.js';
import { conversations } from '../database/tables/conversations.js';

/** Identifies the stored stream of an answer. */
export type StreamReference = Pick<Turn, 'organizationId' | 'conversationId' | 'messageId'>;

/** Time for which the stream of an answer can be read after the end of the answer. */
const RETENTION = sql`interval '10 minutes'`;

const SINCE_UPDATE = sql<number>`(extract(epoch from now() - ${answerStreams.updatedAt}) * 1000)::float8`;
const SINCE_FOLLOWED = sql<number | null>`(extract(epoch from now() - ${answerStreams.followedAt}) * 1000)::float8`;

function buildStreamCondition({ organizationId, conversationId, messageId }: StreamReference) {
  return and(
    eq(answerStreams.organizationId, organizationId),
    eq(answerStreams.conversationId, conversationId),
    eq(answerStreams.messageId, messageId),
  );
}

/**
 * Inserts the stream of a resumable answer that has just started, with an empty text. The same statement stores a new
 * conversation, so that clients can continue the conversation before its first answer has ended.
 *
 * @returns the turn, with `isConversationStored` set to true
 */
export async function insertStream(db: Queries, turn: Turn): Promise<Turn> {
  const { messageId, organizationId, agentId, conversationId } = turn;
  const conversation = db
    .$with('conversation')
    .as(db.insert(conversations).values(buildEmptyConversation(turn)).returning({ id: conversations.id }));
  await db
    .with(...(turn.isConversationStored ? [] : [conversation]))
    .insert(answerStreams)
    .values({ messageId, organizationId, agentId, conversationId });
  return { ...turn, isConversationStored: true };
}

/** The values that an update of a stored stream returns. */
interface UpdatedStream {
  /**
   * Time in milliseconds since another gateway last recorded a client that follows the answer. Null: no other gateway
   * has recorded one.
   */
  readonly remoteIdleMs: number | null;
}

/**
 * Stores the current text of an answer, or how the answer ended. Also stores the current time, as a heartbeat of the
 * gateway that generates the answer.
 *
 * @returns undefined if the stream was deleted
 */
export async function updateStream(
  db: Queries,
  reference: StreamReference,
  change: { readonly text?: string; readonly end?: StoredStreamEnd },
): Promise<UpdatedStream | undefined> {
  const [row] = await db
    .update(answerStreams)
    .set({ ...change, updatedAt: sql`now()` })
    .where(buildStreamCondition(reference))
    .returning({ remoteIdleMs: SINCE_FOLLOWED });
  return row;
}

/**
 * Records that a client follows the answer through this gateway. The gateway that generates the answer reads this, and
 * does not abort the answer.
 */
export async function recordFollower(db: Queries, reference: StreamReference): Promise<void> {
  await db
    .update(answerStreams)
    .set({ followedAt: sql`now()` })
    .where(and(buildStreamCondition(reference), isNull(answerStreams.end)));
}

/** The stored state of the stream of an answer. */
export interface StoredStream {
  readonly agentId: string;
  /** The text of the answer so far. Null: it still has `knownBytes` bytes, so the caller already has the whole text. */
  readonly text: string | null;
  readonly end: StoredStreamEnd | null;
  /** Time in milliseconds since the latest heartbeat of the gateway that generates the answer. */
  readonly silentMs: number;
}

/**
 * Reads the stored stream of an answer.
 *
 * @param knownBytes size in bytes of the text that the caller already has; a stored text of this size is not read
 * again, because texts only grow
 * @returns undefined if there is no such stream, or if it was last updated more than ten minutes ago
 */
export async function readStream(
  db: Queries,
  reference: StreamReference,
  knownBytes: number,
): Promise<StoredStream | undefined> {
  const { agentId, text, end, updatedAt } = answerStreams;
  const [row] = await db
    .select({
      ...{ agentId, end, silentMs: SINCE_UPDATE },
      text: sql<string | null>`case when octet_length(${text}) <> ${knownBytes} then ${text} end`,
    })
    .from(answerStreams)
    .where(and(buildStreamCondition(reference), sql`${updatedAt} > now() - ${RETENTION}`));
  return row;
}

/** Deletes the answer streams of a conversation. A gateway that is still generating such an answer then aborts it. */
export async function deleteStreams(db: Queries, organizationId: string, conversationId: string): Promise<void> {
  const { organizationId: organization, conversationId: conversation } = answerStreams;
  await db.delete(answerStreams).where(and(eq(organization, organizationId), eq(conversation, conversationId)));
}

/**
 * Deletes streams that were last updated more than ten minutes ago. Their answers have ended, or their gateways
 * crashed.
 *
 * @returns the number of deleted streams
 */
export async function removeOldStreams(db: Queries): Promise<number> {
  const { rowCount } = await db.delete(answerStreams).where(sql`${answerStreams.updatedAt} < now() - ${RETENTION}`);
  return rowCount ?? 0;
}
