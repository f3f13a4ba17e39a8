import {
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsNotEmpty,
  IsObject,
  IsOptional,
  IsString,
  Max,
  Min,
  Type,
  ValidateNested,
} from '@quarry/validation';
import type { AnswerNote, AnswerUsage, RetrievalNote } from '../http/agent-query-response.js';
import { GenerationSettings, PROMPT_TYPES, type PromptType } from '../http/agent-query.js';
import { MAX_TOP_K, QueryFilters } from '../http/datastore-query.js';
import { EmbeddingSettings } from '../settings.js';
import { ExcludedContent } from './excluded-content.js';

/** A datastore that may be searched, as the gateway has checked. */
export class SearchedDatastore {
  @IsString()
  @IsNotEmpty()
  readonly id: string;

  /** Absent or null: it is searched by words alone. */
  @IsOptional()
  @ValidateNested()
  @Type(() => EmbeddingSettings)
  readonly embedding?: EmbeddingSettings | null;
}

/** What a query may see. */
export class SearchScope {
  @IsString()
  @IsNotEmpty()
  readonly organizationId: string;

  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => SearchedDatastore)
  readonly datastores: readonly SearchedDatastore[];

  @IsOptional()
  @ValidateNested()
  @Type(() => QueryFilters)
  readonly filters?: QueryFilters;

  /** Absent: nothing is being removed. */
  @IsOptional()
  @ValidateNested()
  @Type(() => ExcludedContent)
  readonly excluded?: ExcludedContent;
}

/** `POST /internal/search` of the query service → `SearchResponse`. */
export class SearchRequest extends SearchScope {
  @IsString()
  @IsNotEmpty()
  readonly query: string;

  @IsInt()
  @Min(1)
  @Max(MAX_TOP_K)
  readonly topK: number;
}

export interface FoundFragment {
  readonly fragmentId: string;
  readonly datasourceId: string;
  readonly customId: string | null;
  readonly source: string | null;
  readonly page: number | null;
  readonly text: string;
  /** Between 0 and 1. */
  readonly score: number;
}

export interface SearchResponse {
  /** Best first. */
  readonly fragments: readonly FoundFragment[];
  /** What was not done as it is configured. */
  readonly notes: readonly RetrievalNote[];
}

export class HistoryMessage {
  @IsIn(['user', 'assistant'])
  readonly role: 'user' | 'assistant';

  @IsString()
  readonly text: string;
}

/**
 * `POST /internal/answer` of the query service → `application/x-ndjson`, one `AnswerEvent` a line. What can be refused
 * (an invalid body, a model that is not configured) is refused with a problem before the first line, and before retrieval starts.
 */
export class AnswerRequest extends SearchScope {
  @IsString()
  @IsNotEmpty()
  readonly query: string;

  /** Oldest first. */
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => HistoryMessage)
  readonly history: readonly HistoryMessage[];

  @IsObject()
  @ValidateNested()
  @Type(() => GenerationSettings)
  readonly generation: GenerationSettings;

  @IsOptional()
  @IsString()
  readonly systemPrompt?: string;

  @IsOptional()
  @IsString()
  readonly userPrompt?: string;

  @IsOptional()
  @IsIn(PROMPT_TYPES)
  readonly promptType?: PromptType;

  @IsOptional()
  @IsString()
  readonly promptTemplate?: string;

  /** Answer from the sources alone, and say so when they do not hold the answer. */
  @IsBoolean()
  readonly restrictToKnowledge: boolean;

  /** Keep the marks by which the model cites. Absent: they are taken out. */
  @IsOptional()
  @IsBoolean()
  readonly citationMarks?: boolean;
}

export interface CitedFragment extends FoundFragment {
  readonly cited: boolean;
}

/** The last event is `completed` or `failed`, always. */
export type AnswerEvent =
  | { readonly type: 'delta'; readonly text: string }
  | {
      readonly type: 'completed';
      /** All deltas, concatenated. */
      readonly answer: string;
      readonly answeredBy: 'model' | 'extractive';
      /** Best first. */
      readonly sources: readonly CitedFragment[];
      readonly usage: AnswerUsage;
      /** What was not done as requested or configured. */
      readonly notes: readonly AnswerNote[];
    }
  | {
      readonly type: 'failed';
      readonly code: string;
      readonly message: string;
      /** The time after which the same request may succeed, in whole seconds. Absent: unknown. */
      readonly retryAfterSeconds?: number;
    };
