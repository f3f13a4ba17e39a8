import type { WindowPosition } from '@quarry/item-listing';
import { compileShapeCheck, IsArray, IsInt, IsOptional, IsString, Min, Type, ValidateNested } from '@quarry/validation';

class ScanPosition implements WindowPosition {
  @IsInt()
  @Min(0)
  readonly skip: number;

  @IsString()
  readonly item: string;
}

/** Describes the progress of a run that the gateway stores, so that another process can resume the run. */
export class RunCheckpoint {
  /** Modification date after which the scan resumes: it reads only items modified later. */
  @IsString()
  readonly scanAfter: string;

  /**
   * Last item that the scan has read of the items modified after `scanAfter`. Absent: the scan resumes at the first of
   * these items.
   */
  @IsOptional()
  @ValidateNested()
  @Type(() => ScanPosition)
  readonly position?: ScanPosition;

  /** Modification date after which the next sync must read to find all deferred items. Absent if there are none. */
  @IsOptional()
  @IsString()
  readonly heldAfter?: string;

  /** Number of times that the whole listing was read, but the result may lack items. */
  @IsInt()
  @Min(0)
  readonly readings: number;

  /** Number of items that the run has read. */
  @IsInt()
  @Min(0)
  readonly read: number;

  /** Number of pauses that the listing requested since the last progress. */
  @IsInt()
  @Min(0)
  readonly waits: number;

  /** Number of failed requests since the last progress or requested pause. Absent when it is 0. */
  @IsOptional()
  @IsInt()
  @Min(0)
  readonly failures?: number;

  /** Time of the first request that `failures` counts, in milliseconds since 1970. Absent if there is none. */
  @IsOptional()
  @IsInt()
  readonly failingSince?: number;

  /** Duration of the slowest response of the listing in this run, in whole seconds. Absent when it is 0. */
  @IsOptional()
  @IsInt()
  @Min(0)
  readonly slowestSeconds?: number;

  /** Number of items that changed after the run had recorded them, so that the next sync reads them again. */
  @IsInt()
  @Min(0)
  readonly deferred: number;

  /** The hashes of the keys of those items, up to a maximum number. Absent if there are none. */
  @IsOptional()
  @IsArray()
  @IsString({ each: true })
  readonly deferredKeys?: readonly string[];

  /** Number of items with the id of an item that was read before them. `sharedIds` lists some of those ids. */
  @IsInt()
  @Min(0)
  readonly sharing: number;

  @IsArray()
  @IsString({ each: true })
  readonly sharedIds: readonly string[];
}

export const isRunCheckpoint = compileShapeCheck(RunCheckpoint, 'ignore');
