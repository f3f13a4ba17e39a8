import { Describe, IsInt, IsISO8601, IsNotEmpty, IsString, Min, Type, ValidateNested } from '@quarry/validation';

/** Describes why an attempt of a job failed. The job will be retried. */
@Describe('The reason why the latest attempt failed. A retry is scheduled.')
export class AttemptError {
  @IsString()
  @IsNotEmpty()
  @Describe('Stable error code, such as `embedder_unavailable`.')
  readonly code: string;

  @IsString()
  @Describe('Human-readable explanation of `code`.')
  readonly message: string;

  @IsInt()
  @Min(1)
  @Describe('Number of the failed attempt, starting at 1.')
  readonly attempt: number;

  @IsISO8601()
  @Describe('Time of the next attempt. It starts later if the queue has a backlog.')
  readonly nextAttemptAt: string;
}

/** Reports that an attempt to index one of several documents of a run failed, and that the job will be retried. */
export class DocumentRetrying {
  @IsString()
  @IsNotEmpty()
  readonly datasourceId: string;

  @IsString()
  @IsNotEmpty()
  readonly runId: string;

  @IsString()
  @IsNotEmpty()
  readonly documentKey: string;

  /** Holds the time at which the attempt failed, ISO 8601. */
  @IsISO8601()
  readonly at: string;

  @ValidateNested()
  @Type(() => AttemptError)
  readonly lastError: AttemptError;
}
