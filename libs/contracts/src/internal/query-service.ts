import {
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsNotEmpty,
  IsNumber,
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
import type { PageRectangle } from '../http/page-rectangle.js';
import { MAX_TOP_K, QueryFilters } from '../http/datastore-query.js';
import type { DroppedCount, FragmentScores, SearchDropReason, SearchExplanation } from '../http/search-explanation.js';
import { EmbeddingSettings } from '../datastore-settings.js';
import { ExcludedContent } from './excluded-content.js';
import { ConnectedProvider } from './model-connections.js';

/** Describes a datastore that the gateway has authorized for a search. */
export class SearchedDatastore {
  @IsString()
  @IsNotEmpty()
  readonly id: string;

  /**
   * Embedding settings of the datastore, with which the query is embedded. Absent or null: the search is lexical only.
   */
  @IsOptional()
  @ValidateNested()
  @Type(() => EmbeddingSettings)
  readonly embedding?: EmbeddingSettings | null;
}

/** Describes the content that a query can access. */
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

  /** Lists the content that the search excludes, because it is being removed. Absent: none. */
  @IsOptional()
  @ValidateNested()
  @Type(() => ExcludedContent)
  readonly excluded?: ExcludedContent;
}

/** Describes a query, the content that it can access, and the connections to models that can rewrite or answer it. */
class ScopedQuery extends SearchScope {
  @IsString()
  @IsNotEmpty()
  readonly query: string;

  /**
   * Lists the stored connections to model providers, with their API keys. Absent: only environment variables configure
   * the models.
   */
  @IsOptional()
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => ConnectedProvider)
  readonly modelConnections?: readonly ConnectedProvider[];
}

/** Describes the body of `POST /internal/search` of the query service. The response is a `SearchResponse`. */
export class SearchRequest extends ScopedQuery {
  @IsInt()
  @Min(1)
  @Max(MAX_TOP_K)
  readonly topK: number;

  /**
   * Queries in addition to `query`. The search finds fragments that match any query, and ranks those that match several
   * queries first. Absent: none.
   */
  @IsOptional()
  @IsArray()
  @IsString({ each: true })
  readonly furtherQueries?: readonly string[];

  /** True: the default model rewrites the queries before the search. Absent: false. */
  @IsOptional()
  @IsBoolean()
  readonly rewrite?: boolean;

  /** True: the response contains an explanation of the search. Absent: false. */
  @IsOptional()
  @IsBoolean()
  readonly explain?: boolean;
}

export interface FoundFragment {
  readonly fragmentId: string;
  readonly datasourceId: string;
  /**
   * Identifies the document in the fragment store (see `buildStoredDocumentKey`). Null in responses of earlier
   * versions.
   */
  readonly documentKey: string | null;
  readonly customId: string | null;
  readonly source: string | null;
  readonly page: number | null;
  readonly rectangles: readonly PageRectangle[];
  readonly text: string;
  /** Relevance of the fragment to the query, from 0 to 1. */
  readonly score: number;
}

export interface SearchResponse {
  /** Lists the fragments, most relevant first. */
  readonly fragments: readonly FoundFragment[];
  /** Lists the codes of configured steps that the search did not perform. */
  readonly notes: readonly RetrievalNote[];
  /**
   * Lists the queries of the request as a model has rewritten them. Absent if `rewrite` was not true, or if no model
   * rewrote the queries.
   */
  readonly rewritten?: readonly string[];
  /** Explains the search. Absent if `explain` was not true. */
  readonly explanation?: SearchTrace;
}

/** Explains how a search produced its results. */
export interface SearchTrace extends Pick<SearchExplanation, 'query' | 'lists' | 'stages' | 'results'> {
  /** Lists dropped fragments with shortened texts, at most `MAX_DROPPED_RESULTS`. */
  readonly dropped: readonly DroppedFragment[];
  /** Counts all dropped fragments by reason. */
  readonly droppedCounts: readonly DroppedCount[];
}

/** Describes a fragment that a search found and did not return. */
export interface DroppedFragment {
  readonly fragment: FoundFragment;
  readonly scores: Pick<FragmentScores, keyof FragmentScores>;
  readonly reason: SearchDropReason;
  /**
   * Id of the better-ranked fragment that contains the words of this fragment, if `reason` is `duplicate`. Null for
   * other reasons.
   */
  readonly duplicateOf: string | null;
}

export class HistoryMessage {
  @IsIn(['user', 'assistant'])
  readonly role: 'user' | 'assistant';

  @IsString()
  readonly text: string;
}

/**
 * Describes the body of `POST /internal/answer` of the query service. The response is `application/x-ndjson`, one
 * `AnswerEvent` per line. If the body is invalid or the model is not configured, the response is a problem document
 * instead, without any search.
 */
export class AnswerRequest extends ScopedQuery {
  /** Lists the earlier messages of the conversation, oldest first. */
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

  /**
   * True: the answer uses only the sources, and states if they do not contain the answer. False: if the sources do not
   * contain the answer, the model may use its general knowledge.
   */
  @IsBoolean()
  readonly restrictToKnowledge: boolean;

  /** True: the text of the answer contains citation marks. False or absent: the marks are removed from it. */
  @IsOptional()
  @IsBoolean()
  readonly citationMarks?: boolean;

  /** Maximum number of sources of the answer. If the limit of the query service is lower, that limit applies. */
  @IsOptional()
  @IsInt()
  @Min(1)
  readonly maxSources?: number;

  /** Minimum relevance of a source, from 0 to 1. */
  @IsOptional()
  @IsNumber()
  @Min(0)
  @Max(1)
  readonly minScore?: number;
}

export interface CitedFragment extends FoundFragment {
  readonly cited: boolean;
}

/** Describes an event of an answer. The last event is always `completed` or `failed`. */
export type AnswerEvent =
  | { readonly type: 'delta'; readonly text: string }
  | {
      readonly type: 'completed';
      /** The whole answer: the text of all `delta` events. */
      readonly answer: string;
      readonly answeredBy: 'model' | 'extractive';
      /** Lists the sources, most relevant first. */
      readonly sources: readonly CitedFragment[];
      readonly usage: AnswerUsage;
      /** Lists the codes of requested or configured steps that were not performed for the answer. */
      readonly notes: readonly AnswerNote[];
    }
  | {
      readonly type: 'failed';
      readonly code: string;
      readonly message: string;
      /** Number of seconds after which the same request may succeed. Absent: unknown. */
      readonly retryAfterSeconds?: number;
    };
