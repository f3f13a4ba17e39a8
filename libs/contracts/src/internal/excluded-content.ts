import { IsArray, IsInt, IsNotEmpty, IsString, Min, Type, ValidateNested } from '@quarry/validation';

/** A document that is being removed. It is excluded while what is stored of it is of generation `upTo` or older. */
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

/** What is being removed from the searched datastores: it is excluded before ranking. */
export class ExcludedContent {
  @IsArray()
  @IsString({ each: true })
  readonly datasourceIds: readonly string[];

  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => ExcludedDocument)
  readonly documents: readonly ExcludedDocument[];
}
