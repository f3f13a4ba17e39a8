import { IsArray, IsInt, IsNotEmpty, IsString, Min, Type, ValidateNested } from '@quarry/validation';

/**
 * Describes a document that is being removed. Searches exclude its fragments of generation `upTo` and of earlier
 * generations.
 */
export class ExcludedDocument {
  @IsString()
  @IsNotEmpty()
  readonly datastoreId: string;

  @IsString()
  @IsNotEmpty()
  readonly datasourceId: string;

  @IsString()
  @IsNotEmpty()
  readonly documentKey: string;

  @IsInt()
  @Min(1)
  readonly upTo: number;
}

/**
 * Describes the content that is being removed from the searched datastores. Searches exclude this content before they
 * rank fragments.
 */
export class ExcludedContent {
  @IsArray()
  @IsString({ each: true })
  readonly datasourceIds: readonly string[];

  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => ExcludedDocument)
  readonly documents: readonly ExcludedDocument[];
}
