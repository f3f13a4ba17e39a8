/** A question that is being answered, and its position in its conversation. */
export interface Turn {
  readonly organizationId: string;
  readonly agentId: string;
  readonly conversationId: string;
  /** Counted from 1. */
  readonly number: number;
  readonly visitorId: string;
  /** Id of the message that will hold the answer. */
  readonly messageId: string;
  readonly question: string;
  readonly askedAt: Date;
}
