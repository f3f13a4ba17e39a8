import {
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsNotEmpty,
  IsOptional,
  IsString,
  Min,
  Type,
  ValidateNested,
} from '@quarry/validation';

/** What a run tells when it has handed over everything. */
export class RunEnd {
  /** How many it has handed over or settled. */
  @IsInt()
  @Min(0)
  readonly documents: number;

  /** Whether what it has not named is gone. */
  @IsBoolean()
  readonly complete: boolean;

  /** Different items that were read. */
  @IsInt()
  @Min(0)
  readonly fetched: number;

  @IsString()
  readonly note: string;
}

/** What a run has done so far, for the process that takes it over. */
export class RunSoFar {
  @IsString()
  @IsNotEmpty()
  readonly runId: string;

  /** Where its scan goes on. */
  @IsString()
  readonly modifiedAfter: string;

  /** The next run reads again what was modified after this. Absent: nothing that this one has read. */
  @IsOptional()
  @IsString()
  readonly heldAfter?: string;

  /** The document keys that it has handed over or settled. */
  @IsArray()
  @IsString({ each: true })
  readonly named: readonly string[];

  /** How often in a row the listing asked to be left alone. */
  @IsInt()
  @Min(0)
  readonly waits: number;

  /** Absent while it goes on. Whoever takes it over then says this again, and reads nothing. */
  @IsOptional()
  @ValidateNested()
  @Type(() => RunEnd)
  readonly end?: RunEnd;
}

/**
 * What is remembered of a listing between runs. It never says more than what has been handed over: a version is written when
 * its job is durable, so what is lost with a process is handed over again.
 */
export class CatalogState {
  @IsIn([2])
  readonly form: 2;

  /** Which listing, and how its items become documents: for any other, all of this says nothing. */
  @IsString()
  readonly listing: string;

  /** Items modified at this date or before have been handed over; '' when there are none. */
  @IsString()
  readonly modifiedAfter: string;

  /**
   * By turns a document key, and the hash of the version that was handed over; '' when it is not known which one it was.
   */
  @IsArray()
  @IsString({ each: true })
  readonly versions: readonly string[];

  @IsOptional()
  @ValidateNested()
  @Type(() => RunSoFar)
  readonly run?: RunSoFar;
}
