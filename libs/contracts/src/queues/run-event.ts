import { IsInt, IsISO8601, IsNotEmpty, IsOptional, IsString, Min } from '@quarry/validation';
import type { RunCounters } from '../datasource/type-and-status.js';

/** Counts the documents of a run, as running totals. */
export class Counters implements RunCounters {
  @IsInt() @Min(0) readonly discovered: number;
  @IsInt() @Min(0) readonly fetched: number;
  @IsInt() @Min(0) readonly indexed: number;
  @IsInt() @Min(0) readonly unchanged: number;
  @IsInt() @Min(0) readonly removed: number;
  @IsInt() @Min(0) readonly failed: number;
  @IsInt() @Min(0) readonly skipped: number;
}

/** Describes the progress of a stage, such as 40 of 600 pages. `total` is absent while it is unknown. */
export class Progress {
  @IsInt() @Min(0) readonly done: number;

  @IsOptional()
  @IsInt()
  @Min(0)
  readonly total?: number;

  @IsString()
  readonly unit: string;
}

/** Identifies the run of an event and the position of the event in that run. */
export class RunEvent {
  @IsString()
  @IsNotEmpty()
  readonly datasourceId: string;

  @IsString()
  @IsNotEmpty()
  readonly runId: string;

  /** Sequence number of the event. It increases with every event of a run, across all attempts. */
  @IsInt()
  @Min(1)
  readonly sequence: number;

  /** Holds the time of the event, ISO 8601. */
  @IsISO8601()
  readonly at: string;
}
