import { checkOf, IsArray, IsInt, IsOptional, IsString, Min } from '@quarry/validation';

/** What a run has reached, for the process that continues it. It never says more than the gateway has recorded. */
export class RunCheckpoint {
  /** The scan continues with what was modified after this. */
  @IsString()
  readonly scanAfter: string;

  /** The next sync reads again what was modified after this. Absent: nothing that this run has read. */
  @IsOptional()
  @IsString()
  readonly heldAfter?: string;

  /** How many readings of the whole listing have ended without a result. */
  @IsInt()
  @Min(0)
  readonly readings: number;

  /** Items that the scan has read. */
  @IsInt()
  @Min(0)
  readonly read: number;

  /** How often in a row the listing asked for a pause. */
  @IsInt()
  @Min(0)
  readonly waits: number;

  /** Items that changed again after the run had recorded them. */
  @IsInt()
  @Min(0)
  readonly deferred: number;

  /** Places that share an id with an earlier place, and some of those ids. */
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
