import {
  Describe,
  IsArray,
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
import { PageQuery } from './page.js';

export const MESSAGE_STATES = ['complete', 'interrupted', 'failed'] as const;
export type MessageState = (typeof MESSAGE_STATES)[number];

export const MESSAGE_ROLES = ['user', 'assistant'] as const;
export type MessageRole = (typeof MESSAGE_ROLES)[number];

/** Query string of `GET /conversations`. */
export class ConversationListQuery extends PageQuery {
  @IsOptional()
  @IsString()
  readonly agentId?: string;

  @Describe('Conversations in which this visitor asked something.')
  @IsOptional()
  @IsString()
  @MaxLength(MAX_ID_LENGTH)
  readonly visitorId?: string;
}

/** A conversation, without what was said in it. */
@Describe('What was asked of an agent, and what it answered.')
export class ConversationResponse {
  @IsString()
  readonly id: string;

  @IsString()
  readonly agentId: string;

  @IsString()
  @Describe('Who asked first.')
  readonly visitorId: string;

  @IsInt()
  @Min(1)
  @Describe('Questions so far, those that are being answered included.')
  readonly turns: number;

  @IsISO8601()
  readonly createdAt: string;

  @IsISO8601()
  readonly updatedAt: string;
}

/** Something said in a conversation. */
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
    '`complete`: said to the end. `interrupted`: the client left, or the service stopped. `failed`: the model did not go on. A question has the state of its answer.',
  )
  readonly state: MessageState;

  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => AnswerSource)
  @Describe('Best first. A question has none.')
  readonly sources: readonly AnswerSource[];

  @OrNull()
  @ValidateNested()
  @Type(() => AnswerUsage)
  @Describe('Null for a question, and for an answer that was not complete.')
  readonly usage: AnswerUsage | null;

  @OrNull()
  @IsIn(['model', 'extractive'])
  readonly answeredBy: 'model' | 'extractive' | null;

  @IsString()
  @Describe('Who asked.')
  readonly visitorId: string;

  @IsISO8601()
  readonly createdAt: string;
}
