import { Describe, IsInt, IsISO8601, IsNotEmpty, IsString, Min, Type, ValidateNested } from '@quarry/validation';

/** Why an attempt failed that will be repeated. */
@Describe('Why the latest attempt failed. It will be repeated.')
export class AttemptError {
  @IsString()
  @IsNotEmpty()
  @Describe('Stable, such as `embedder_unavailable`.')
  readonly code: string;

  @IsString()
  @Describe('The same for people.')
  readonly message: string;

  @IsInt()
  @Min(1)
  @Describe('Which attempt failed, from 1.')
  readonly attempt: number;

  @IsISO8601()
  @Describe('When the next attempt starts, unless the queue has a backlog.')
  readonly nextAttemptAt: string;
}

/** An attempt to index one of the several documents of a run failed, and will be repeated. */
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

  /** When the attempt failed, ISO 8601. */
  @IsISO8601()
  readonly at: string;

  @ValidateNested()
  @Type(() => AttemptError)
  readonly lastError: AttemptError;
}
