import {
  findMetadataFilterViolations,
  type MetadataCondition,
  MetadataFilter,
  RETRIEVAL_NOTES,
} from '@quarry/contracts';
import {
  Describe,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsNumber,
  IsObject,
  IsOptional,
  IsString,
  Max,
  Min,
  OrNull,
  Type,
  ValidateBy,
  ValidateNested,
  ValidateWith,
} from '@quarry/validation';
import type { FileAttributes } from '../../../vector-stores/attach-files.js';
import { RankingOptions } from '../protocol/ranking-options.js';

const MAX_QUERIES = 10;
const DEFAULT_RESULTS = 10;
const MAX_RESULTS = 50;

/** Describes the body of `POST /v1/vector_stores/{vector_store_id}/search`. Source: `VectorStoreSearchRequest` of openai/openai-openapi. */
export class VectorStoreSearchRequest {
  @Describe(`A query, or a list of up to ${MAX_QUERIES} queries. The search finds fragments that match any of them.`)
  @ValidateBy({
    name: 'isStringOrStrings',
    validator: {
      validate: (value) => typeof value === 'string' || isQueryList(value),
      defaultMessage: () => `query must be a text or a list of 1 to ${MAX_QUERIES} texts`,
    },
  })
  readonly query: string | readonly [string, ...string[]];

  @Describe(`Default: ${DEFAULT_RESULTS}.`)
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(MAX_RESULTS)
  readonly max_num_results?: number;

  @Describe('Selects files by their attributes.')
  @IsOptional()
  @ValidateWith(findMetadataFilterViolations)
  @Type(() => MetadataFilter)
  readonly filters?: MetadataCondition;

  @Describe('Rewrites the queries for the search with the default model.')
  @IsOptional()
  @IsBoolean()
  readonly rewrite_query?: boolean;

  @IsOptional()
  @ValidateNested()
  @Type(() => RankingOptions)
  readonly ranking_options?: RankingOptions;
}

function isQueryList(value: unknown): boolean {
  if (!Array.isArray(value) || value.length === 0 || value.length > MAX_QUERIES) return false;
  return value.every((one) => typeof one === 'string');
}

/** Returns the maximum number of results that a request asks for, or the default if it asks for none. */
export function getResultLimit({ max_num_results: limit = DEFAULT_RESULTS }: VectorStoreSearchRequest): number {
  return limit;
}

class FoundText {
  @IsIn(['text'])
  readonly type: 'text';

  @IsString()
  readonly text: string;
}

/** Describes a found fragment of a file. Source: `VectorStoreSearchResultItem` of openai/openai-openapi. */
export class VectorStoreSearchResult {
  @IsString()
  readonly file_id: string;

  @IsString()
  readonly filename: string;

  @IsNumber()
  @Min(0)
  @Max(1)
  readonly score: number;

  @IsObject()
  readonly attributes: FileAttributes;

  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => FoundText)
  readonly content: readonly FoundText[];
}

/** Codes of the notes about omitted steps of a search. */
const SEARCH_NOTES = [...RETRIEVAL_NOTES, 'not_rewritten'] as const;
export type SearchNote = (typeof SEARCH_NOTES)[number];

/** Describes the results of a search. Source: `VectorStoreSearchResultsPage` of openai/openai-openapi. `notes` is an extension. */
export class VectorStoreSearchResults {
  @IsIn(['vector_store.search_results.page'])
  readonly object: 'vector_store.search_results.page';

  @Describe('The rewritten queries, or the queries of the request if they were not rewritten.')
  @IsArray()
  @IsString({ each: true })
  readonly search_query: readonly string[];

  @Describe('The fragments, best first.')
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => VectorStoreSearchResult)
  readonly data: readonly VectorStoreSearchResult[];

  @Describe('Always false: `max_num_results` limits the results.')
  @IsBoolean()
  readonly has_more: boolean;

  @OrNull()
  @IsString()
  readonly next_page: string | null;

  @Describe(
    'Steps that were requested or configured but not performed. `not_rewritten`: the queries were not rewritten, because no model is configured, or it failed or timed out. `not_embedded`: the search was lexical only. `not_reranked`: the passages have the order of the search.',
  )
  @IsArray()
  @IsIn(SEARCH_NOTES, { each: true })
  readonly notes: readonly SearchNote[];
}
