/** A question that is being answered, and its place in its conversation. */
export interface Turn {
  readonly organizationId: string;
  readonly agentId: string;
  readonly conversationId: string;
  /** Counted from 1. */
  readonly number: number;
  readonly visitorId: string;
  /** The id that the answer's message gets. */
  readonly messageId: string;
  readonly question: string;
  readonly askedAt: Date;
}
