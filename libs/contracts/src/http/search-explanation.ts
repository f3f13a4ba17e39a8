import {
  Describe,
  IsArray,
  IsIn,
  IsInt,
  IsNumber,
  IsString,
  Min,
  OrNull,
  Type,
  ValidateNested,
} from '@quarry/validation';
import { DatastoreQueryResult } from './datastore-query.js';

/**
 * Maximum number of dropped fragments that the explanation of a search lists. The counts in the explanation include all
 * dropped fragments.
 */
export const MAX_DROPPED_RESULTS = 50;
/** Maximum length of the text of a dropped fragment in an explanation, in characters. */
export const MAX_DROPPED_TEXT = 300;

/** Lists the reasons for which a search drops a fragment that it has found. */
export const SEARCH_DROP_REASONS = [
  'superseded_version',
  'duplicate',
  'document_limit',
  'displaced',
  'rank_cut',
] as const;
export type SearchDropReason = (typeof SEARCH_DROP_REASONS)[number];

/** Lists all reasons for which a found fragment is not a result. `datasource_removed`: its datasource was deleted. */
export const DROP_REASONS = [...SEARCH_DROP_REASONS, 'datasource_removed'] as const;
export type DropReason = (typeof DROP_REASONS)[number];

/** Lists the stages of a search in the order in which they run. */
export const SEARCH_STAGES = ['embed', 'search', 'fuse', 'rerank', 'select'] as const;
export type SearchStage = (typeof SEARCH_STAGES)[number];

export const SEARCH_KINDS = ['lexical', 'dense'] as const;
export type SearchKind = (typeof SEARCH_KINDS)[number];

@Describe('A score, and the rank by this score, starting at 1.')
export class RankedScore {
  @IsNumber()
  readonly score: number;

  @IsInt()
  @Min(1)
  readonly rank: number;
}

/** Describes the analysis of the text of a query. */
@Describe('The analysis of the query.')
export class AnalyzedQueryText {
  @IsString()
  readonly text: string;

  @IsArray()
  @IsString({ each: true })
  @Describe('Terms of the lexical search, without stop words. Each word has one term per language.')
  readonly terms: readonly string[];

  @IsArray()
  @IsString({ each: true })
  @Describe(
    'ISO 639-1 codes of the languages that the query may have. If it is unclear, the lexical search uses only those that the documents have.',
  )
  readonly languages: readonly string[];
}

/** Describes one search of the fragment store. */
@Describe('One search of the fragment store.')
export class SearchedList {
  @IsIn(SEARCH_KINDS)
  readonly kind: SearchKind;

  @IsString()
  @Describe('Text that was searched for.')
  readonly text: string;

  @IsNumber()
  @Min(0)
  @Describe('Weight of the list in the fused score.')
  readonly weight: number;

  @IsInt()
  @Min(0)
  @Describe('Number of fragments found.')
  readonly found: number;

  @IsNumber()
  @Min(0)
  @Describe('Duration in milliseconds.')
  readonly ms: number;
}

@Describe('The duration of one stage of a search.')
export class StageTime {
  @IsIn(SEARCH_STAGES)
  @Describe('`search` includes waiting for other searches.')
  readonly stage: SearchStage;

  @IsNumber()
  @Min(0)
  @Describe('Duration in milliseconds.')
  readonly ms: number;
}

@Describe('The number of fragments that were dropped for one reason.')
export class DroppedCount {
  @IsIn(DROP_REASONS)
  readonly reason: DropReason;

  @IsInt()
  @Min(1)
  readonly count: number;
}

/** Describes the scores of one fragment in each stage of a search. */
@Describe('The scores and ranks of a fragment in each stage of the search.')
export class FragmentScores {
  @IsString()
  readonly fragment_id: string;

  @IsString()
  @Describe('Identifies the document within its datasource, as in the list of documents.')
  readonly document_key: string;

  @OrNull()
  @ValidateNested()
  @Type(() => RankedScore)
  @Describe('BM25 score of the lexical search. Null if that search did not find the fragment.')
  readonly lexical: RankedScore | null;

  @OrNull()
  @ValidateNested()
  @Type(() => RankedScore)
  @Describe(
    'Cosine similarity to the query. The ranks include the results of the lexical search. Null without a similarity.',
  )
  readonly dense: RankedScore | null;

  @OrNull()
  @ValidateNested()
  @Type(() => RankedScore)
  @Describe('Score from 0 to 1 after the fusion of both searches. Null if the fragment was dropped before.')
  readonly fused: RankedScore | null;

  @OrNull()
  @ValidateNested()
  @Type(() => RankedScore)
  @Describe('Score of the reranker. Null if the fragment was not reranked.')
  readonly reranked: RankedScore | null;
}

@Describe('A fragment that the search found and did not return.')
export class DroppedResult extends FragmentScores {
  @IsIn(SEARCH_DROP_REASONS)
  @Describe(
    '`superseded_version`: a newer version of the document was found. `duplicate`: a better fragment contains its words. `document_limit`: its document has enough results. `displaced`: a fragment beyond the limit of its document has more than twice its score. `rank_cut`: it ranks below `topK`, or was not compared.',
  )
  readonly reason: SearchDropReason;

  @OrNull()
  @IsString()
  @Describe('Fragment that contains the words of a `duplicate`. Null for other reasons.')
  readonly duplicate_of: string | null;

  @IsString()
  @Describe(`The first ${MAX_DROPPED_TEXT} characters of the text.`)
  readonly text: string;

  @OrNull()
  @IsString()
  readonly source: string | null;

  @IsString()
  readonly datasource_id: string;

  @IsString()
  readonly datasource_name: string;

  @OrNull()
  @IsString()
  readonly custom_id: string | null;

  @OrNull()
  @IsInt()
  @Min(1)
  readonly page: number | null;
}

/** Describes a search: its query, its searches of the fragment store, its stages, and the scores of its results. */
export class SearchStages {
  @ValidateNested()
  @Type(() => AnalyzedQueryText)
  readonly query: AnalyzedQueryText;

  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => SearchedList)
  readonly lists: readonly SearchedList[];

  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => StageTime)
  readonly stages: readonly StageTime[];

  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => FragmentScores)
  @Describe('Scores of the results, in the same order.')
  readonly results: readonly FragmentScores[];
}

/** Explains how a search produced its results. */
@Describe('Explains how the search produced its results.')
export class SearchExplanation extends SearchStages {
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => DroppedResult)
  @Describe(
    `At most ${MAX_DROPPED_RESULTS} fragments. Fragments below the rank cut are last. Content that a filter excludes is never found, so it is not listed.`,
  )
  readonly dropped: readonly DroppedResult[];

  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => DroppedCount)
  @Describe(
    'Number of dropped fragments for each reason. `datasource_removed`: the datasource was deleted, and its fragments are not listed.',
  )
  readonly dropped_counts: readonly DroppedCount[];
}

/** Describes the `200` response of `POST /datastores/{id}/query` with `explain: true`. */
@Describe('The results of a search, with an explanation.')
export class ExplainedQueryResponse {
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => DatastoreQueryResult)
  readonly results: readonly DatastoreQueryResult[];

  @ValidateNested()
  @Type(() => SearchExplanation)
  readonly explanation: SearchExplanation;
}
