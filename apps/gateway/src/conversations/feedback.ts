import type { MessageFeedback, SetFeedbackRequest } from '@quarry/contracts';
import { replaceUnstorableCharacters } from '@quarry/queue';
import { and, eq, sql } from 'drizzle-orm';
import { createNotFoundProblem } from '../checks/parse-resource-id.js';
import type { Queries } from '../database/database.js';
import {
  type ConversationRow,
  conversations,
  messages,
  type StoredFeedback,
} from '../database/tables/conversations.js';

/** Identifies an answer in a conversation. */
export interface AnswerReference {
  readonly conversation: Pick<ConversationRow, 'organizationId' | 'id'>;
  readonly messageId: string;
}

/**
 * Sets the feedback on an answer, and replaces earlier feedback.
 *
 * @throws Problem 404 if the conversation has no such answer
 */
export async function setFeedback(
  db: Queries,
  answer: AnswerReference,
  { rating, reasons, comment }: SetFeedbackRequest,
  now: Date,
): Promise<MessageFeedback> {
  const text = replaceUnstorableCharacters(comment ?? '').trim();
  const feedback = { rating, reasons: reasons ?? [], comment: text === '' ? null : text, updatedAt: now.toISOString() };
  await replaceFeedback(db, answer, feedback);
  return feedback;
}

/** Removes the feedback on an answer, if there is any. @throws Problem 404 if the conversation has no such answer */
export async function removeFeedback(db: Queries, answer: AnswerReference): Promise<void> {
  await replaceFeedback(db, answer, null);
}

/**
 * Replaces the feedback on an answer. Locks the conversation first, as `recordTurn` does, so that the counters of the
 * conversation agree with its messages.
 */
async function replaceFeedback(
  db: Queries,
  { conversation: { organizationId, id }, messageId }: AnswerReference,
  feedback: StoredFeedback | null,
): Promise<void> {
  const isConversation = and(eq(conversations.organizationId, organizationId), eq(conversations.id, id));
  const isAnswer = and(
    eq(messages.organizationId, organizationId),
    eq(messages.conversationId, id),
    eq(messages.id, messageId),
    eq(messages.role, 'assistant'),
  );
  await db.transaction(async (tx) => {
    await tx.select({ id: conversations.id }).from(conversations).where(isConversation).for('no key update');
    const [before] = await tx.select({ feedback: messages.feedback }).from(messages).where(isAnswer);
    if (before === undefined) throw createNotFoundProblem('message', messageId);
    await tx.update(messages).set({ feedback }).where(isAnswer);
    const change = countRatingChanges(before.feedback, feedback);
    if (change.up === 0 && change.down === 0) return;
    await tx
      .update(conversations)
      .set({
        feedbackUp: sql`${conversations.feedbackUp} + ${change.up}`,
        feedbackDown: sql`${conversations.feedbackDown} + ${change.down}`,
      })
      .where(isConversation);
  });
}

/**
 * Returns by how much the conversation's number of `up` ratings and its number of `down` ratings change: -1, 0 or 1.
 */
function countRatingChanges(
  before: StoredFeedback | null,
  after: StoredFeedback | null,
): Record<'up' | 'down', number> {
  const countRatings = (rating: 'up' | 'down'): number =>
    Number(after?.rating === rating) - Number(before?.rating === rating);
  return { up: countRatings('up'), down: countRatings('down') };
}
