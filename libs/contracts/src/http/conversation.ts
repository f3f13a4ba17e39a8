import {
  BooleanFromText,
  Describe,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsISO8601,
  IsOptional,
  IsString,
  MaxLength,
  Min,
  OrNull,
  Type,
  ValidateNested,
} from '@quarry/validation';
import { AnswerSource, AnswerUsage } from './agent-query-response.js';
import { MAX_ID_LENGTH } from './datasource.js';
import { MessageFeedback } from './feedback.js';
import { LIST_ORDERS, type ListOrder, PageQuery } from './pagination.js';

export const MESSAGE_STATES = ['complete', 'interrupted', 'failed'] as const;
export type MessageState = (typeof MESSAGE_STATES)[number];

export const MESSAGE_ROLES = ['user', 'assistant'] as const;
export type MessageRole = (typeof MESSAGE_ROLES)[number];

const FEEDBACK_FILTERS = ['up', 'down', 'any', 'none'] as const;
export type FeedbackFilter = (typeof FEEDBACK_FILTERS)[number];

/**
 * Maximum length, in characters, of the first question in the description of a conversation. A longer question is
 * truncated.
 */
export const MAX_FIRST_QUESTION_LENGTH = 300;

/** Describes the query string of `GET /conversations`. */
export class ConversationListQuery extends PageQuery {
  @IsOptional()
  @IsString()
  readonly agentId?: string;

  @Describe('Return only conversations in which this visitor asked a question.')
  @IsOptional()
  @IsString()
  @MaxLength(MAX_ID_LENGTH)
  readonly visitorId?: string;

  @Describe(
    'Return only conversations with an answer that was rated `up`, `down` or either (`any`), or without a rated answer (`none`).',
  )
  @IsOptional()
  @IsIn(FEEDBACK_FILTERS)
  readonly feedback?: FeedbackFilter;

  @Describe('`true`: return only conversations with an unanswered question. `false`: only the others.')
  @IsOptional()
  @BooleanFromText()
  readonly unanswered?: boolean;

  @Describe('Return only conversations created at this time or later. Without an offset, the time is in UTC.')
  @IsOptional()
  @IsISO8601()
  readonly createdAfter?: string;

  @Describe('Return only conversations created before this time.')
  @IsOptional()
  @IsISO8601()
  readonly createdBefore?: string;
}

/** Describes the query string of `GET /conversations/{id}/messages`. */
export class MessageListQuery extends PageQuery {
  @Describe('`asc`: oldest messages first. `desc`: newest first. Default: `asc`.')
  @IsOptional()
  @IsIn(LIST_ORDERS)
  readonly order?: ListOrder;
}

@Describe('Numbers of rated answers.')
export class FeedbackCounts {
  @IsInt()
  @Min(0)
  readonly up: number;

  @IsInt()
  @Min(0)
  readonly down: number;
}

/** Describes a conversation without its messages. */
@Describe('A conversation between visitors and an agent.')
export class ConversationResponse {
  @IsString()
  readonly id: string;

  @IsString()
  readonly agentId: string;

  @IsString()
  @Describe('Visitor who asked the first question.')
  readonly visitorId: string;

  @IsString()
  @MaxLength(MAX_FIRST_QUESTION_LENGTH)
  @Describe(
    `Text of the first question, cut after ${MAX_FIRST_QUESTION_LENGTH} characters. Empty until an answer has ended.`,
  )
  readonly firstQuestion: string;

  @IsInt()
  @Min(1)
  @Describe('Number of questions, including those without a complete answer.')
  readonly turns: number;

  @IsInt()
  @Min(0)
  @Describe('Number of messages. A question and its answer become messages when the answer has ended.')
  readonly messages: number;

  @IsInt()
  @Min(0)
  @Describe('Number of unanswered questions: the answer failed, or it is complete and cites no source.')
  readonly unanswered: number;

  @ValidateNested()
  @Type(() => FeedbackCounts)
  readonly feedback: FeedbackCounts;

  @IsISO8601()
  readonly createdAt: string;

  @IsISO8601()
  readonly updatedAt: string;
}

/** Describes a message of a conversation. */
@Describe('A question (`user`), or the answer to it (`assistant`).')
export class MessageResponse {
  @IsString()
  readonly id: string;

  @IsIn(MESSAGE_ROLES)
  readonly role: MessageRole;

  @IsString()
  readonly text: string;

  @IsIn(MESSAGE_STATES)
  @Describe(
    'State of the answer. `complete`: the answer is complete. `interrupted`: the client disconnected or the service stopped. `failed`: the model failed. A question has the state of its answer.',
  )
  readonly state: MessageState;

  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => AnswerSource)
  @Describe('Sources of the answer, most relevant first. Empty for a question.')
  readonly sources: readonly AnswerSource[];

  @OrNull()
  @ValidateNested()
  @Type(() => AnswerUsage)
  @Describe('Token usage. Null for a question and for an incomplete answer.')
  readonly usage: AnswerUsage | null;

  @OrNull()
  @IsIn(['model', 'extractive'])
  readonly answeredBy: 'model' | 'extractive' | null;

  @IsBoolean()
  @Describe('True for an answer that failed, and for a complete one that cites no source.')
  readonly unanswered: boolean;

  @OrNull()
  @ValidateNested()
  @Type(() => MessageFeedback)
  @Describe('Feedback on the answer. Null for a question and for an answer without feedback.')
  readonly feedback: MessageFeedback | null;

  @IsString()
  @Describe('Visitor who asked the question.')
  readonly visitorId: string;

  @IsISO8601()
  readonly createdAt: string;
}
