import { IsArray, IsInt, IsNotEmpty, IsOptional, IsString, Max, Min, Type, ValidateNested } from '@quarry/validation';
import type { PageRectangle } from '../http/page-rectangle.js';
import { ExcludedContent } from './excluded-content.js';
import { SearchedDatastore } from './query-service.js';

/** Maximum number of fragments of a response: a page of the API and one more, which shows that another page follows. */
export const MAX_LISTED_FRAGMENTS = 201;

/**
 * Describes the body of `POST /internal/fragments` of the query service. The response is a `FragmentListResponse`. The
 * gateway has authorized the caller for the datasource.
 */
export class FragmentListRequest {
  @IsString()
  @IsNotEmpty()
  readonly organizationId: string;

  @ValidateNested()
  @Type(() => SearchedDatastore)
  readonly datastore: SearchedDatastore;

  @IsString()
  @IsNotEmpty()
  readonly datasourceId: string;

  /** Lists the documents in the order of the response. Each document key is unique within the datasource. */
  @IsArray()
  @IsString({ each: true })
  readonly documentKeys: readonly string[];

  /** Position of the first listed fragment in the first document, from 0. */
  @IsInt()
  @Min(0)
  readonly firstOrdinal: number;

  @IsInt()
  @Min(1)
  @Max(MAX_LISTED_FRAGMENTS)
  readonly limit: number;

  /** Lists the content that the response excludes, because it is being removed. Absent: none. */
  @IsOptional()
  @ValidateNested()
  @Type(() => ExcludedContent)
  readonly excluded?: ExcludedContent;
}

/** Describes a stored fragment. */
export interface ListedFragment {
  readonly fragmentId: string;
  /** Identifies the document within its datasource. */
  readonly documentKey: string;
  readonly ordinal: number;
  readonly text: string;
  readonly context: string;
  readonly page: number | null;
  readonly location: string | null;
  readonly rectangles: readonly PageRectangle[];
  readonly tokens: number;
}

export interface FragmentListResponse {
  readonly fragments: readonly ListedFragment[];
}
