import { checkOf, IsArray, IsInt, IsOptional, IsString, Min } from '@quarry/validation';

/**
 * Describes the stored progress of a run, from which another process resumes it. It covers only documents that the gateway has
 * recorded.
 */
export class RunCheckpoint {
  /** Date after which the scan resumes: it reads items modified later. */
  @IsString()
  readonly scanAfter: string;

  /** Date after which the next sync reads deferred items again. Absent when no item was deferred. */
  @IsOptional()
  @IsString()
  readonly heldAfter?: string;

  /** Number of times that the whole listing was read without a usable result. */
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

  /** The hashes of invalid items that were already reported, as in `ListingState.reported`. */
  @IsArray()
  @IsString({ each: true })
  readonly reported: readonly string[];
}

export const isRunCheckpoint = checkOf(RunCheckpoint, 'ignore');
