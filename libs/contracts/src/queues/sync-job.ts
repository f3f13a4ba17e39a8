import { IsIn, IsInt, IsNotEmpty, IsOptional, IsString, Min, Type, ValidateNested } from '@quarry/validation';
import { DATASOURCE_TYPES, type DatasourceType } from '../datasource/datasource.js';
import { EmbeddingSettings, SplittingSettings } from '../settings.js';

/** What every job that fills a datasource carries: whose it is, which run, and how its documents are indexed. */
export class SyncJob {
  @IsString()
  @IsNotEmpty()
  readonly organizationId: string;

  @IsString()
  @IsNotEmpty()
  readonly datastoreId: string;

  @IsString()
  @IsNotEmpty()
  readonly datasourceId: string;

  @IsIn(DATASOURCE_TYPES)
  readonly datasourceType: DatasourceType;

  @IsString()
  @IsNotEmpty()
  readonly runId: string;

  /** Grows with every run of the installation. A document's newest generation is the one that is searched. */
  @IsInt()
  @Min(1)
  readonly generation: number;

  @IsOptional()
  @IsString()
  readonly customId?: string;

  /** Absent: the datastore is searched by words alone. */
  @IsOptional()
  @ValidateNested()
  @Type(() => EmbeddingSettings)
  readonly embedding?: EmbeddingSettings;

  @ValidateNested()
  @Type(() => SplittingSettings)
  readonly splitting: SplittingSettings;
}
