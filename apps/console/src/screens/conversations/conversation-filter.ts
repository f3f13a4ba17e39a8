/** The filters and the order of the list of conversations, which the address of the screen contains. */
export interface ConversationFilter {
  readonly agentId: string | undefined;
  readonly feedback: FeedbackFilter | undefined;
  readonly order: Order;
  readonly time: TimeFilter | undefined;
}

export const FEEDBACK_FILTERS = ['up', 'down', 'any', 'none'] as const;
export type FeedbackFilter = (typeof FEEDBACK_FILTERS)[number];

/**
 * Orders of the list of conversations. `unansweredFirst`: conversations with an unanswered question come before all
 * others. `unansweredOnly`: the others are omitted.
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
 * Prefix that the console adds to the cursor of a page of answered conversations. In the order `unansweredFirst`, these
 * pages follow the pages of conversations with unanswered questions.
 */
const ANSWERED = 'answered:';

/**
 * Builds the query parameters of the request for a page of conversations. `cursor` is the result of `computeNextCursor`
 * for the page before it, and undefined for the first page.
 */
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
 * Returns the cursor of the page after the page at `cursor`; null after the last page. `next` is the cursor that the
 * API returned. In the order `unansweredFirst`, the answered conversations follow the unanswered ones.
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
