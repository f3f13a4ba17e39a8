import {
  Describe,
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

/** The models a customer can ask for by name. Source: interface specification, agent query request. */
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

/** The most tokens that a request may let an answer have. */
export const MAX_ANSWER_TOKENS = 32_768;

/** How a model generates. Ranges: interface specification, "Limits". */
export class GenerationSettings {
  @IsOptional()
  @IsIn(MODEL_NAMES)
  readonly modelName?: ModelName;

  @IsOptional()
  @IsNumber()
  @Min(0)
  @Max(1)
  readonly temperature?: number;

  @Describe('The most tokens the answer may have.')
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

  @Describe('Nucleus sampling: the share of the probability mass that is considered.')
  @IsOptional()
  @IsNumber()
  @Min(0)
  @Max(1)
  readonly topP?: number;
}

/** Body of `POST /agents/{id}/query`. */
export class AgentQueryRequest extends GenerationSettings {
  @IsString()
  @IsNotEmpty()
  readonly query: string;

  @Describe('Absent, null or empty: a new conversation.')
  @IsOptional()
  @IsString()
  readonly conversationId?: string | null;

  @Describe('Absent, null or empty: the visitor of the conversation, or a new one in a new conversation.')
  @IsOptional()
  @IsString()
  @MaxLength(255)
  readonly visitorId?: string | null;

  @IsOptional()
  @IsBoolean()
  readonly streaming?: boolean;

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

  @Describe('`systemPrompt` and `userPrompt` say more.', { deprecated: true })
  @IsOptional()
  @IsIn(PROMPT_TYPES)
  readonly promptType?: PromptType;

  @Describe('`systemPrompt` and `userPrompt` say more.', { deprecated: true })
  @IsOptional()
  @IsString()
  readonly promptTemplate?: string;
}
