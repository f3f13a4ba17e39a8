import {
  IsBoolean,
  IsIn,
  IsInt,
  IsNotEmpty,
  IsNumber,
  IsOptional,
  IsString,
  Max,
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

  /** The most tokens the answer may have. */
  @IsOptional()
  @IsInt()
  @Min(1)
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

  /** Nucleus sampling: the share of the probability mass that is considered. */
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

  /** Absent, null or empty: a new conversation. */
  @IsOptional()
  @IsString()
  readonly conversationId?: string | null;

  /** Absent, null or empty: a new visitor. */
  @IsOptional()
  @IsString()
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

  /** Deprecated: `systemPrompt` and `userPrompt` say more. */
  @IsOptional()
  @IsIn(PROMPT_TYPES)
  readonly promptType?: PromptType;

  /** Deprecated: `systemPrompt` and `userPrompt` say more. */
  @IsOptional()
  @IsString()
  readonly promptTemplate?: string;
}

/** One passage an answer rests on. */
export interface AnswerSource {
  readonly chunk_id: string;
  readonly datasource_id: string;
  readonly datasource_name: string;
  readonly datasource_type: string;
  readonly custom_id: string | null;
  /** The address a reader can open; null where there is none. */
  readonly source: string | null;
  /** Between 0 and 1; comparable within one answer. */
  readonly score: number;
  /** Counted from 1; null where the document has no pages. */
  readonly page: number | null;
  readonly text: string;
  /** Whether the answer refers to this passage. */
  readonly cited: boolean;
}

export interface AnswerUsage {
  readonly promptTokens: number;
  readonly completionTokens: number;
}

/** `200` of `POST /agents/{id}/query`; in a stream the data of `endpoint_response`. */
export interface AgentQueryResponse {
  readonly answer: string;
  readonly conversationId: string;
  readonly visitorId: string;
  /** Best first. */
  readonly sources: readonly AnswerSource[];
  readonly messageId: string;
  readonly usage: AnswerUsage;
  /** `extractive`: no model is configured, and the answer is sentences of the sources. */
  readonly answeredBy: 'model' | 'extractive';
}
