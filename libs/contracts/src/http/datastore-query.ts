import { IsArray, IsInt, IsNotEmpty, IsOptional, IsString, Max, Min, Type, ValidateNested } from '@quarry/validation';

export const DEFAULT_TOP_K = 5;
export const MAX_TOP_K = 100;

/** Narrows what is searched: a fragment passes when each list that is given names it. */
export class QueryFilters {
  @IsOptional()
  @IsArray()
  @IsString({ each: true })
  readonly custom_ids?: readonly string[];

  @IsOptional()
  @IsArray()
  @IsString({ each: true })
  readonly datasource_ids?: readonly string[];
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
export interface DatastoreQueryResult {
  readonly text: string;
  /** Between 0 and 1; comparable within one response. */
  readonly score: number;
  /** The address of the fragment's document; null where it has none. */
  readonly source: string | null;
  readonly datasource_id: string;
  readonly datasource_name: string;
  readonly custom_id: string | null;
  readonly page: number | null;
}
