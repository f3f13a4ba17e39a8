import { IsArray, IsInt, IsNotEmpty, IsOptional, IsString, Max, Min, Type, ValidateNested } from '@quarry/validation';
import type { PageRectangle } from '../http/page-rectangle.js';
import { ExcludedContent } from './excluded-content.js';
import { SearchedDatastore } from './query-service.js';

/**
 * Maximum number of fragments in a response: the maximum per page of the API, plus one fragment that shows that there
 * is a next page.
 */
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

  /**
   * Lists the keys of the documents whose fragments are requested, in the order of the response. A key is unique within
   * the datasource.
   */
  @IsArray()
  @IsString({ each: true })
  readonly documentKeys: readonly string[];

  /** Position, from 0, of the first listed fragment among the fragments of the first document. */
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

/** Describes a fragment as it is stored in the fragment store. */
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
