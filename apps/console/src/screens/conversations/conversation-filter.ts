/** The filters of the list of conversations, as they are in the address. */
export interface ConversationFilter {
  readonly agentId: string | undefined;
  readonly feedback: FeedbackFilter | undefined;
  readonly order: Order;
  readonly time: TimeFilter | undefined;
}

export const FEEDBACK_FILTERS = ['up', 'down', 'any', 'none'] as const;
export type FeedbackFilter = (typeof FEEDBACK_FILTERS)[number];

/**
 * Orders of the list. `unansweredFirst` lists conversations with an unanswered question before all other conversations.
 */
export const ORDERS = ['unansweredFirst', 'unansweredOnly', 'newestFirst'] as const;
export type Order = (typeof ORDERS)[number];

export const TIME_FILTERS = ['day', 'week', 'month'] as const;
export type TimeFilter = (typeof TIME_FILTERS)[number];

const DAY_MS = 86_400_000;
const LENGTHS: Readonly<Record<TimeFilter, number>> = { day: DAY_MS, week: 7 * DAY_MS, month: 30 * DAY_MS };

/** The query parameters of the request for a page of conversations. */
export interface ConversationQuery {
  readonly agentId?: string;
  readonly feedback?: FeedbackFilter;
  readonly unanswered?: boolean;
  readonly createdAfter?: string;
  readonly cursor?: string;
}

/**
 * Prefix of the cursors of pages with answered conversations. In the order `unansweredFirst`, these pages follow the
 * pages with unanswered conversations.
 */
const ANSWERED = 'answered:';

/** Builds the query parameters of the request for the page after a cursor. */
export function buildConversationQuery(
  filter: ConversationFilter,
  cursor: string | undefined,
  now: Date,
): ConversationQuery {
  const { agentId, feedback, time, order } = filter;
  const isAnswered = cursor?.startsWith(ANSWERED) === true;
  const position = isAnswered ? cursor.slice(ANSWERED.length) : cursor;
  return {
    ...(agentId !== undefined && { agentId }),
    ...(feedback !== undefined && { feedback }),
    ...(time !== undefined && { createdAfter: new Date(now.getTime() - LENGTHS[time]).toISOString() }),
    ...(order !== 'newestFirst' && { unanswered: !isAnswered }),
    ...(position !== undefined && position !== '' && { cursor: position }),
  };
}

/**
 * Returns the cursor of the next page; null after the last page. In the order `unansweredFirst`, the first page of
 * answered conversations follows the last page of unanswered conversations.
 */
export function computeNextCursor(
  { order }: ConversationFilter,
  cursor: string | undefined,
  next: string | null,
): string | null {
  if (order !== 'unansweredFirst') return next;
  if (cursor?.startsWith(ANSWERED) === true) return next === null ? null : `${ANSWERED}${next}`;
  return next ?? ANSWERED;
}
