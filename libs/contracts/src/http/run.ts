import {
  Describe,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsISO8601,
  IsNumber,
  IsString,
  Max,
  Min,
  OrNull,
  Type,
  ValidateNested,
} from '@quarry/validation';
import { DATASOURCE_STATUSES, STAGES, type DatasourceStatus, type Stage } from '../datasource/type-and-status.js';
import { RunNoteView } from '../datasource/run-note.js';
import { AttemptError } from '../queues/attempt-error.js';
import { Counters, Progress } from '../queues/run-event.js';

/** Lists the statuses of a run. `superseded`: a newer run replaced the run before the run ended. */
export const RUN_STATUSES = [...DATASOURCE_STATUSES, 'superseded'] as const;
export type RunStatus = DatasourceStatus | 'superseded';

const STEPS = [...RUN_STATUSES, ...STAGES] as const;

/** Describes an error code that occurred for some documents of a run. */
@Describe('An error that occurred for some documents of the run.')
export class FailureReason {
  @IsString()
  readonly code: string;

  @IsString()
  readonly message: string;

  @IsInt()
  @Min(1)
  @Describe('Number of affected documents.')
  readonly count: number;
}

/** Describes why a run, or one of its documents, is being retried. */
@Describe('The reason why the latest attempt failed. A retry is scheduled.')
export class LastError extends AttemptError {
  @OrNull()
  @IsString()
  @Describe('The document that is being retried. Null if the run as a whole is.')
  readonly documentKey: string | null;
}

/** Counts the documents of earlier runs that a run did not find again, or that are now excluded from the datasource. */
@Describe('Documents that the run did not find again, or that are now excluded.')
export class RunRemoval {
  @IsInt()
  @Min(1)
  @Describe('Number of missing documents.')
  readonly documents: number;

  @IsInt()
  @Min(0)
  @Describe('Number of known documents when the run began.')
  readonly of: number;

  @IsNumber()
  @Min(0)
  @Max(1)
  @Describe('Share of the known documents. If more are missing, they are removed only with `allowMassRemoval=true`.')
  readonly threshold: number;

  @IsBoolean()
  @Describe(
    'True: too many are missing, so that the run removed none of them. False: it removed them. A dry run states what a sync would do.',
  )
  readonly needsConfirmation: boolean;
}

/** Describes the progress or the outcome of a run. */
@Describe('Progress or outcome of the latest run.')
export class RunView {
  @IsString()
  readonly id: string;

  @OrNull()
  @IsIn(STAGES)
  @Describe('Current stage of the run.')
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
  @Describe('Message about the run, such as why nothing was removed, or the result of a dry run.')
  readonly note: string | null;

  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => RunNoteView)
  @Describe('The parts of `note`, each with a code.')
  readonly notes: readonly RunNoteView[];

  @OrNull()
  @ValidateNested()
  @Type(() => RunRemoval)
  @Describe('Null if no document is missing, or if the run did not read the whole source.')
  readonly removal: RunRemoval | null;

  @OrNull()
  @ValidateNested()
  @Type(() => LastError)
  @Describe('Reason for the current retry. Null after further progress and when the run has ended.')
  readonly lastError: LastError | null;

  @OrNull()
  @IsISO8601()
  readonly startedAt: string | null;

  @OrNull()
  @IsISO8601()
  readonly endedAt: string | null;
}

/** Describes a step of a run: a reached status or a started stage. */
@Describe('A step of a run: a status that it reached, or a stage that started.')
export class RunStep {
  @IsISO8601()
  readonly at: string;

  @IsIn(STEPS)
  readonly step: RunStatus | Stage;
}

/** Describes a run as `GET /datasources/{id}/runs` returns it. */
@Describe('One synchronisation of a datasource.')
export class RunResponse extends RunView {
  @IsIn(RUN_STATUSES)
  @Describe('`superseded`: a newer run replaced this one before it ended.')
  readonly status: RunStatus;

  @OrNull()
  @IsString()
  @Describe('Stable code of the failure, such as `cancelled` or `run_lost`.')
  readonly code: string | null;

  @OrNull()
  @IsString()
  @Describe('Human-readable explanation of `code`.')
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
