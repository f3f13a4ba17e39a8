import { IsIn, IsInt, IsNotEmpty, IsOptional, IsString, Min, Type, ValidateNested } from '@quarry/validation';
import { DATASOURCE_TYPES, type DatasourceType } from '../datasource/type-and-status.js';
import { EmbeddingSettings, SplittingSettings } from '../datastore-settings.js';
import { IsOcrLanguages } from '../ocr-languages.js';

/** Describes the fields of every job that fills a datasource: the owner, the run, and the indexing settings. */
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

  /**
   * Generation of the run. Later runs of the installation have higher generations. Searches find only the newest
   * generation of a document.
   */
  @IsInt()
  @Min(1)
  readonly generation: number;

  /** Number of times that this job of the run was lost and enqueued again. Absent: 0. */
  @IsOptional()
  @IsInt()
  @Min(1)
  readonly repeat?: number;

  @IsOptional()
  @IsString()
  readonly customId?: string;

  /** Embedding settings of the datastore. Absent: the datastore has no embeddings, and its search is lexical only. */
  @IsOptional()
  @ValidateNested()
  @Type(() => EmbeddingSettings)
  readonly embedding?: EmbeddingSettings;

  @ValidateNested()
  @Type(() => SplittingSettings)
  readonly splitting: SplittingSettings;

  /** Languages of scanned documents. Absent: the languages that the worker is configured with. */
  @IsOptional()
  @IsOcrLanguages()
  readonly ocrLanguages?: readonly string[];
}

/** Returns the id of the job that discovers or fetches the documents of a run. */
export function formatSyncJobId({ runId, repeat }: RepeatedJob): string {
  return runId + formatRepeatSuffix(repeat);
}

export interface RepeatedJob {
  readonly runId: string;
  readonly repeat?: number;
}

/**
 * Returns the suffix that distinguishes the id of a repeated job from that of the earlier job; '' if the job is not
 * repeated. Without the suffix, the queue would ignore the repeated job while it retains the earlier one.
 */
export function formatRepeatSuffix(repeat = 0): string {
  return repeat === 0 ? '' : `.repeat-${repeat}`;
}
