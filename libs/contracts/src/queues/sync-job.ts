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

  /** How often the job was lost and enqueued again. Absent: never. */
  @IsOptional()
  @IsInt()
  @Min(1)
  readonly repeat?: number;

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

/** Returns the id of the job that finds or fetches what a run indexes. */
export function syncJobId({ runId, repeat }: RepeatedJob): string {
  return runId + repeatSuffix(repeat);
}

export interface RepeatedJob {
  readonly runId: string;
  readonly repeat?: number;
}

/** A repeated job has an id of its own: an earlier one that is kept after its end would swallow it. */
export function repeatSuffix(repeat = 0): string {
  return repeat === 0 ? '' : `.repeat-${repeat}`;
}
