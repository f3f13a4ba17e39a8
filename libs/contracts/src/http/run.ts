import {
  Describe,
  IsArray,
  IsIn,
  IsInt,
  IsISO8601,
  IsString,
  Min,
  OrNull,
  Type,
  ValidateNested,
} from '@quarry/validation';
import { DATASOURCE_STATUSES, STAGES, type DatasourceStatus, type Stage } from '../datasource/datasource.js';
import { AttemptError } from '../queues/attempt-error.js';
import { Counters, Progress } from '../queues/datasource-status.js';

/** `superseded`: a newer run took over before this one ended. */
export const RUN_STATUSES = [...DATASOURCE_STATUSES, 'superseded'] as const;
export type RunStatus = DatasourceStatus | 'superseded';

const STEPS = [...RUN_STATUSES, ...STAGES] as const;

/** What went wrong with some of a run's documents, grouped by code. */
@Describe("What went wrong with some of the run's documents.")
export class FailureReason {
  @IsString()
  readonly code: string;

  @IsString()
  readonly message: string;

  @IsInt()
  @Min(1)
  @Describe('How many documents.')
  readonly count: number;
}

/** Why a run, or one of its documents, is being retried. */
@Describe('Why the latest attempt failed of what is being retried.')
export class LastError extends AttemptError {
  @OrNull()
  @IsString()
  @Describe('The document that is being retried; null for the run as a whole.')
  readonly documentKey: string | null;
}

/** How far a run is, or how it ended. */
@Describe('How far the latest run is, or how it ended.')
export class RunView {
  @IsString()
  readonly id: string;

  @OrNull()
  @IsIn(STAGES)
  @Describe('What is being done right now.')
  readonly stage: Stage | null;

  @OrNull()
  @ValidateNested()
  @Type(() => Progress)
  readonly progress: Progress | null;

  @ValidateNested()
  @Type(() => Counters)
  readonly counters: Counters;

  @OrNull()
  @IsString()
  @Describe('What a person should know of the run, such as why nothing was removed, or what a dry run would do.')
  readonly note: string | null;

  @OrNull()
  @ValidateNested()
  @Type(() => LastError)
  @Describe('Why something is being retried. Null while there is progress, and when the run has ended.')
  readonly lastError: LastError | null;

  @OrNull()
  @IsISO8601()
  readonly startedAt: string | null;

  @OrNull()
  @IsISO8601()
  readonly endedAt: string | null;
}

/** A step of a run. */
@Describe('A step of a run: a status that it reached, or a stage that began.')
export class RunStep {
  @IsISO8601()
  readonly at: string;

  @IsIn(STEPS)
  readonly step: RunStatus | Stage;
}

/** A run as `GET /datasources/{id}/runs` shows it. */
@Describe('One synchronisation of a datasource.')
export class RunResponse extends RunView {
  @IsIn(RUN_STATUSES)
  @Describe('`superseded`: a newer run took over before this one ended.')
  readonly status: RunStatus;

  @OrNull()
  @IsString()
  @Describe('Why it failed: stable, such as `cancelled` or `run_lost`.')
  readonly code: string | null;

  @OrNull()
  @IsString()
  @Describe('The same for people.')
  readonly message: string | null;

  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => FailureReason)
  readonly failureReasons: readonly FailureReason[];

  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => RunStep)
  readonly timeline: readonly RunStep[];

  @IsISO8601()
  readonly createdAt: string;
}
