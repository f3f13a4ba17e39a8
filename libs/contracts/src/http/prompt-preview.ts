import {
  Describe,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsNotEmpty,
  IsOptional,
  IsString,
  MaxLength,
  Min,
  OrNull,
  Type,
  ValidateNested,
} from '@quarry/validation';
import { RETRIEVAL_NOTES, type RetrievalNote } from './agent-query-response.js';

/** Describes the body of `POST /agents/{id}/prompt`. */
export class PromptPreviewRequest {
  @IsString()
  @IsNotEmpty()
  readonly query: string;

  @Describe('Replaces the system prompt of the agent. Blank: the default. Absent or null: the prompt of the agent.')
  @IsOptional()
  @IsString()
  @MaxLength(32_000)
  readonly systemPrompt?: string;

  @Describe('Replaces the user prompt of the agent. Blank: none. Absent or null: the prompt of the agent.')
  @IsOptional()
  @IsString()
  @MaxLength(32_000)
  readonly userPrompt?: string;

  @Describe('Replaces `restrictToKnowledge` of the agent.')
  @IsOptional()
  @IsBoolean()
  readonly restrictToKnowledge?: boolean;
}

/** Describes a message as a model receives it. */
export class PromptMessage {
  @IsIn(['user', 'assistant'])
  readonly role: 'user' | 'assistant';

  @IsString()
  readonly text: string;
}

/** Describes what an agent sends to its model for a question. */
export class PromptPreviewResponse {
  @IsIn(['model', 'extractive'])
  @Describe('`extractive`: no model is configured, so that nothing is sent.')
  readonly answeredBy: 'model' | 'extractive';

  @OrNull()
  @IsString()
  @Describe('Provider and name of the model that receives the prompt. Null without a model.')
  readonly model: string | null;

  @OrNull()
  @IsString()
  @Describe('System prompt. Null without a model.')
  readonly system: string | null;

  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => PromptMessage)
  @Describe('Messages, oldest first. The last one contains the sources and the question.')
  readonly messages: readonly PromptMessage[];

  @IsInt()
  @Min(0)
  @Describe('Number of sources in the prompt.')
  readonly sources: number;

  @IsInt()
  @Min(0)
  @Describe('Estimated number of tokens of the prompt.')
  readonly promptTokens: number;

  @IsArray()
  @IsIn(RETRIEVAL_NOTES, { each: true })
  @Describe('Configured steps of the search that were not performed.')
  readonly notes: readonly RetrievalNote[];
}
