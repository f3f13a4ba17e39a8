import {
  ArrayMinSize,
  IsArray,
  IsIn,
  IsInt,
  IsISO8601,
  IsOptional,
  IsString,
  Min,
  Type,
  ValidateNested,
} from '@quarry/validation';
import { PageConfidence } from '../datasource/page-confidence.js';
import type { ReasonCode } from '../datasource/reasons.js';
import { SETTLED_STATUSES, type SettledStatus } from '../datasource/type-and-status.js';
import { Counters, RunEvent } from './run-event.js';

export const RUN_JOB_OUTCOMES = ['indexed', 'unchanged', 'failed', 'skipped', 'read_failed'] as const;
/**
 * Names the outcome of the last job of a run.
 *
 * - `read_failed`: the job that finds the documents of the run has failed.
 * - Each other outcome: the only document of the run has settled with this outcome.
 */
export type RunJobOutcome = (typeof RUN_JOB_OUTCOMES)[number];

/** Reports that a run has started (`running`), or that the last job of the run has ended. */
export class StatusChanged extends RunEvent {
  /**
   * `running`, or a settled status in a final event. Gateways of earlier versions store the settled status. Later
   * versions derive the status of the run from `outcome`.
   */
  @IsIn(['running', ...SETTLED_STATUSES])
  readonly status: 'running' | SettledStatus;

  /**
   * Outcome of the last job, from which the gateway derives the status of the run. Absent in events with the status
   * `running`, and in events of workers of earlier versions.
   */
  @IsOptional()
  @IsIn(RUN_JOB_OUTCOMES)
  readonly outcome?: RunJobOutcome;

  /** Holds the start time of the run, ISO 8601. Final events include it, because a short run emits no start event. */
  @IsOptional()
  @IsISO8601()
  readonly startedAt?: string;

  /** Names the reason for a failure. Stable and documented, such as `file_encrypted`. */
  @IsOptional()
  @IsString() // accepts codes of newer workers
  readonly code?: ReasonCode;

  /** Explains `code` to users. */
  @IsOptional()
  @IsString()
  readonly message?: string;

  @IsOptional()
  @ValidateNested()
  @Type(() => Counters)
  readonly counters?: Counters;

  /** Number of tokens in the current fragments of the datasource. */
  @IsOptional()
  @IsInt()
  @Min(0)
  readonly storedTokens?: number;

  /** Number of current fragments of the datasource. */
  @IsOptional()
  @IsInt()
  @Min(0)
  readonly fragments?: number;

  /** Number of fragments whose text exceeded the input limit of the embedding model and was truncated. Absent: none. */
  @IsOptional()
  @IsInt()
  @Min(1)
  readonly truncatedFragments?: number;

  /** Number of pages of the document with text that could not be decoded. Absent: none. */
  @IsOptional()
  @IsInt()
  @Min(1)
  readonly undecodedPages?: number;

  /** Number of pages of the document that are images and whose text was not recognized. Absent: none. */
  @IsOptional()
  @IsInt()
  @Min(1)
  readonly imagePages?: number;

  /** Number of pages of the document whose text OCR recognized in an image of the page. Absent: none. */
  @IsOptional()
  @IsInt()
  @Min(1)
  readonly recognizedPages?: number;

  /** Mean confidence of OCR for the recognized words of the document, in percent. Absent if no word was recognized. */
  @IsOptional()
  @IsInt()
  @Min(0)
  readonly recognitionConfidence?: number;

  /**
   * The confidence of OCR for each page with recognized words, in the order of the pages. Of more than 100 such pages,
   * only the 100 with the lowest confidence. Absent: there are none.
   */
  @IsOptional()
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => PageConfidence)
  readonly pageConfidences?: readonly PageConfidence[];

  /** Number of pages of the document. Absent if it has no pages. */
  @IsOptional()
  @IsInt()
  @Min(1)
  readonly pages?: number;
}

/** Reports status changes that were emitted at about the same time, in one job. */
export class StatusesChanged {
  @IsArray()
  @ArrayMinSize(1)
  @ValidateNested({ each: true })
  @Type(() => StatusChanged)
  readonly changes: readonly StatusChanged[];
}
