import { Describe, IsArray, IsBoolean, IsInt, IsString, Min, OrNull, Type, ValidateNested } from '@quarry/validation';

@Describe('A field of the items that were read.')
export class ListingField {
  @IsString()
  readonly name: string;

  @IsInt()
  @Min(1)
  @Describe('Number of items that have the field.')
  readonly items: number;

  @OrNull()
  @IsString()
  @Describe('The beginning of the first value that is not empty, as text.')
  readonly example: string | null;
}

@Describe('An item that would be indexed.')
export class ListingFirstItem {
  @IsString()
  readonly itemId: string;

  @IsString()
  @Describe('The beginning of the title.')
  readonly title: string;
}

@Describe('An item that cannot be indexed.')
export class ListingItemProblem {
  @OrNull()
  @IsString()
  @Describe('Null if the item has no valid id.')
  readonly itemId: string | null;

  @IsString()
  @Describe('The invalid fields, each with the expected and the found value.')
  readonly message: string;
}

@Describe('The reason why the listing could not be read to its end.')
export class ListingError {
  @IsString()
  @Describe('Stable code, as in `code` of a datasource, such as `listing_not_json`.')
  readonly code: string;

  @IsString()
  @Describe('Human-readable explanation of `code`, with the request that failed.')
  readonly message: string;
}

/** Describes what a dry run found in a listing that is not a datasource yet. */
@Describe('The result of a dry run of a listing. Nothing was stored.')
export class ListingDryRunResponse {
  @OrNull()
  @IsInt()
  @Min(0)
  @Describe('`total_count` of the listing. Null if no page could be read.')
  readonly totalCount: number | null;

  @IsInt()
  @Min(0)
  @Describe('Number of items that were read.')
  readonly read: number;

  @IsInt()
  @Min(0)
  @Describe('Number of read items that would be indexed.')
  readonly valid: number;

  @IsInt()
  @Min(0)
  @Describe('Number of read items that are not valid.')
  readonly invalid: number;

  @IsBoolean()
  @Describe(
    'True if the listing was read to its end. False: it has more items than a dry run reads, or `error` is set.',
  )
  readonly isComplete: boolean;

  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => ListingField)
  @Describe('The fields of the items, the most frequent first. At most 50.')
  readonly fields: readonly ListingField[];

  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => ListingFirstItem)
  @Describe('The first valid items, in the order of the listing. At most 5.')
  readonly firstItems: readonly ListingFirstItem[];

  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => ListingItemProblem)
  @Describe('The first items that are not valid. At most 5.')
  readonly problems: readonly ListingItemProblem[];

  @OrNull()
  @ValidateNested()
  @Type(() => ListingError)
  @Describe('Null if every request succeeded.')
  readonly error: ListingError | null;
}
