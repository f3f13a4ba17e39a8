import {
  AliasOf,
  Describe,
  IsArray,
  IsBoolean,
  IsInt,
  IsNotEmpty,
  IsNumber,
  IsObject,
  IsOptional,
  IsString,
  Max,
  Min,
  OrNull,
  Type,
  ValidateNested,
  ValidateWith,
} from '@quarry/validation';
import { findMetadataFilterViolations, MetadataFilter, type MetadataCondition } from './metadata-filter.js';
import { PageRectangle } from './page-rectangle.js';

export const DEFAULT_TOP_K = 5;
export const MAX_TOP_K = 100;

/** Describes a price range. Both bounds are inclusive. */
@Describe('Selects the items whose price is within these bounds, inclusive.')
export class PriceRange {
  @IsOptional()
  @IsNumber({ allowNaN: false, allowInfinity: false })
  readonly min?: number | null;

  @IsOptional()
  @IsNumber({ allowNaN: false, allowInfinity: false })
  readonly max?: number | null;
}

/** Describes the filters of a search. */
@Describe(
  'Restricts the search to fragments that match every given filter. An empty list matches nothing; null means no filter. Unknown filters are rejected.',
)
export class QueryFilters {
  @IsOptional()
  @IsArray()
  @IsString({ each: true })
  readonly custom_ids?: readonly string[];

  @IsOptional()
  @IsArray()
  @IsString({ each: true })
  readonly datasource_ids?: readonly string[];

  @IsOptional()
  @ValidateNested()
  @Type(() => PriceRange)
  readonly price?: PriceRange;

  @Describe('Stock status as given in the listing, such as `instock`.')
  @IsOptional()
  @IsArray()
  @IsString({ each: true })
  readonly stock_status?: readonly string[];

  @IsOptional()
  @ValidateWith(findMetadataFilterViolations)
  @Type(() => MetadataFilter)
  readonly metadata?: MetadataCondition;
}

/** Describes the body of `POST /datastores/{id}/query`. */
export class DatastoreQueryRequest {
  @IsString()
  @IsNotEmpty()
  readonly query: string;

  @Describe('Number of results. Also accepted as `top_k`; both may be present only if they are equal.')
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(MAX_TOP_K)
  readonly topK?: number;

  @AliasOf('topK')
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(MAX_TOP_K)
  readonly top_k?: number;

  @IsOptional()
  @ValidateNested()
  @Type(() => QueryFilters)
  readonly filters?: QueryFilters;

  @Describe('Returns an object with the results and an explanation of the search, in place of the array.')
  @IsOptional()
  @IsBoolean()
  readonly explain?: boolean;
}

/** Describes an element of the `200` response of `POST /datastores/{id}/query`. */
@Describe('A fragment of a document that matches the query.')
export class DatastoreQueryResult {
  @IsString()
  readonly text: string;

  @IsNumber()
  @Min(0)
  @Max(1)
  @Describe('Relevance from 0 to 1. Comparable within one response only.')
  readonly score: number;

  @IsString()
  @Describe(
    'Address of the document. Without one, the address of its listing, or of its original in this API: `…/datasources/{id}/original`.',
  )
  readonly source: string;

  @IsString()
  readonly datasource_id: string;

  @IsString()
  readonly datasource_name: string;

  @OrNull()
  @IsString()
  @Describe(
    'Identifies the document within its datasource, as in the list of documents. Null if it is unknown, which happens only during an update.',
  )
  readonly document_key: string | null;

  @OrNull()
  @IsString()
  @Describe('The `id` with which the text was upserted. Null if it was upserted without one, and for other documents.')
  readonly document_id: string | null;

  @OrNull()
  @IsString()
  readonly custom_id: string | null;

  @OrNull()
  @IsObject()
  @Describe('Metadata of an upserted text. Null if it has none, and for other documents.')
  readonly metadata: Readonly<Record<string, unknown>> | null;

  @OrNull()
  @IsInt()
  @Min(1)
  @Describe('Page number, starting at 1. Null if the document has no pages.')
  readonly page: number | null;

  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => PageRectangle)
  @Describe(
    'Rectangles of the passage on the pages of its document, at most one per line. Empty if the document has no pages, or was last indexed by a version without rectangles.',
  )
  readonly rectangles: readonly PageRectangle[];
}
