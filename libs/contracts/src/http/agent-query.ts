import {
  Describe,
  IntegerFromText,
  IsBoolean,
  IsIn,
  IsInt,
  IsNotEmpty,
  IsNumber,
  IsOptional,
  IsString,
  Max,
  MaxLength,
  Min,
  Type,
  ValidateNested,
} from '@quarry/validation';
import { QueryFilters } from './datastore-query.js';

/** Lists the models that a request can select. Source: docs/interface.md#model-names. */
export const MODEL_NAMES = [
  'gpt_4o_mini',
  'gpt_4o',
  'gpt_4_1_mini',
  'gpt_4_1',
  'claude_sonnet_4',
  'gemini_flash_2',
  'gemini_flash_2_lite',
  'deepseek_v3',
] as const;
export type ModelName = (typeof MODEL_NAMES)[number];

export const PROMPT_TYPES = ['raw', 'customer_support'] as const;
export type PromptType = (typeof PROMPT_TYPES)[number];

/** Maximum value of `maxTokens`, which limits the tokens of an answer. */
export const MAX_ANSWER_TOKENS = 32_768;

/** Describes how a model generates text. Source of the ranges: docs/interface.md#limits. */
export class GenerationSettings {
  @IsOptional()
  @IsIn(MODEL_NAMES)
  readonly modelName?: ModelName;

  @IsOptional()
  @IsNumber()
  @Min(0)
  @Max(1)
  readonly temperature?: number;

  @Describe('Maximum number of tokens in the answer.')
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(MAX_ANSWER_TOKENS)
  readonly maxTokens?: number;

  @IsOptional()
  @IsNumber()
  @Min(-2)
  @Max(2)
  readonly presencePenalty?: number;

  @IsOptional()
  @IsNumber()
  @Min(-2)
  @Max(2)
  readonly frequencyPenalty?: number;

  @Describe('Nucleus sampling: the model samples from the tokens that make up this share of the probability mass.')
  @IsOptional()
  @IsNumber()
  @Min(0)
  @Max(1)
  readonly topP?: number;
}

const MAX_POSITION = 2_147_483_647;

/** Describes the query string of `GET /conversations/{id}/messages/{messageId}/stream`. */
export class AnswerStreamQuery {
  @Describe(
    '`id` of the last event that was received. The header `Last-Event-ID` has precedence. Default: 0, the beginning.',
  )
  @IsOptional()
  @IntegerFromText({ min: 0, max: MAX_POSITION })
  readonly after?: number;
}

/** Describes the body of `POST /agents/{id}/query`. */
export class AgentQueryRequest extends GenerationSettings {
  @IsString()
  @IsNotEmpty()
  readonly query: string;

  @Describe('Conversation to continue. Absent, null or empty starts a new conversation.')
  @IsOptional()
  @IsString()
  readonly conversationId?: string | null;

  @Describe(
    'Identifies the visitor. Absent, null or empty: the visitor of the conversation; a new conversation gets a new visitor.',
  )
  @IsOptional()
  @IsString()
  @MaxLength(255)
  readonly visitorId?: string | null;

  @IsOptional()
  @IsBoolean()
  readonly streaming?: boolean;

  @Describe(
    'With `streaming: true`: the answer continues for 30 seconds after the client disconnects, so that `streamAnswer` can continue the stream. Default: false.',
  )
  @IsOptional()
  @IsBoolean()
  readonly resumable?: boolean;

  @IsOptional()
  @ValidateNested()
  @Type(() => QueryFilters)
  readonly filters?: QueryFilters;

  @IsOptional()
  @IsString()
  readonly systemPrompt?: string;

  @IsOptional()
  @IsString()
  readonly userPrompt?: string;

  @Describe('Use `systemPrompt` and `userPrompt` instead.', { deprecated: true })
  @IsOptional()
  @IsIn(PROMPT_TYPES)
  readonly promptType?: PromptType;

  @Describe('Use `systemPrompt` and `userPrompt` instead.', { deprecated: true })
  @IsOptional()
  @IsString()
  readonly promptTemplate?: string;
}
