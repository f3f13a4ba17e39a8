import { checkOf, IsArray, IsInt, IsOptional, IsString, Min } from '@quarry/validation';

/** The progress of a run, stored for the process that continues it. It never exceeds what the gateway has recorded. */
export class RunCheckpoint {
  /** The scan resumes with items modified after this date. */
  @IsString()
  readonly scanAfter: string;

  /** The next sync reads items modified after this date again. Absent when there are none. */
  @IsOptional()
  @IsString()
  readonly heldAfter?: string;

  /** Number of readings of the whole listing that ended without a result. */
  @IsInt()
  @Min(0)
  readonly readings: number;

  /** Number of items that the scan has read. */
  @IsInt()
  @Min(0)
  readonly read: number;

  /** Number of consecutive pauses that the listing requested. */
  @IsInt()
  @Min(0)
  readonly waits: number;

  /** Number of items that changed again after the run had recorded them. */
  @IsInt()
  @Min(0)
  readonly deferred: number;

  /** Number of items that share an id with an earlier item, and some of those ids. */
  @IsInt()
  @Min(0)
  readonly sharing: number;

  @IsArray()
  @IsString({ each: true })
  readonly sharedIds: readonly string[];

  /** See `ListingState.reported`. */
  @IsArray()
  @IsString({ each: true })
  readonly reported: readonly string[];
}

export const isRunCheckpoint = checkOf(RunCheckpoint, 'ignore');
