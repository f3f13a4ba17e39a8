import {
  Describe,
  IsArray,
  IsInt,
  IsNotEmpty,
  IsNumber,
  IsOptional,
  IsString,
  Max,
  Min,
  OrNull,
  Type,
  ValidateNested,
} from '@quarry/validation';

export const DEFAULT_TOP_K = 5;
export const MAX_TOP_K = 100;

/** Prices, both ends included. */
@Describe('Items of a listing whose price is within these bounds, both included.')
export class PriceRange {
  @IsOptional()
  @IsNumber({ allowNaN: false, allowInfinity: false })
  readonly min?: number | null;

  @IsOptional()
  @IsNumber({ allowNaN: false, allowInfinity: false })
  readonly max?: number | null;
}

/** Narrows what is searched. */
@Describe(
  'A fragment passes when each list that is given names it, and its price is within the bounds that are. An empty list matches nothing; null is no filter. Unknown filters are refused.',
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

  @Describe('As the listing says it, such as `instock`.')
  @IsOptional()
  @IsArray()
  @IsString({ each: true })
  readonly stock_status?: readonly string[];
}

/** Body of `POST /datastores/{id}/query`. */
export class DatastoreQueryRequest {
  @IsString()
  @IsNotEmpty()
  readonly query: string;

  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(MAX_TOP_K)
  readonly topK?: number;

  @IsOptional()
  @ValidateNested()
  @Type(() => QueryFilters)
  readonly filters?: QueryFilters;
}

/** An element of the `200` of `POST /datastores/{id}/query`. */
@Describe('A fragment of a document that is like the query.')
export class DatastoreQueryResult {
  @IsString()
  readonly text: string;

  @IsNumber()
  @Min(0)
  @Max(1)
  @Describe('Similarity, between 0 and 1; comparable within one response.')
  readonly score: number;

  @OrNull()
  @IsString()
  @Describe("The address of the fragment's document; null where it has none.")
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
  @Describe('Counted from 1; null where the document has no pages.')
  readonly page: number | null;
}
