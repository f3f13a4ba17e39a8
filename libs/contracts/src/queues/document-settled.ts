import {
  IsBoolean,
  IsIn,
  IsInt,
  IsISO8601,
  IsNotEmpty,
  IsObject,
  IsOptional,
  IsString,
  Min,
  Type,
  ValidateNested,
} from '@quarry/validation';
import type { ReasonCode } from '../datasource/reasons.js';

export const DOCUMENT_OUTCOMES = ['indexed', 'unchanged', 'failed', 'skipped', 'removed'] as const;
/** What a run did with one of its documents. */
export type DocumentOutcome = (typeof DOCUMENT_OUTCOMES)[number];

/** One of the several documents of a run has come to its end. Told once a run and document; a second telling changes nothing. */
export class DocumentSettled {
  @IsString()
  @IsNotEmpty()
  readonly datasourceId: string;

  @IsString()
  @IsNotEmpty()
  readonly runId: string;

  @IsString()
  @IsNotEmpty()
  readonly documentKey: string;

  /** When it happened, ISO 8601. */
  @IsISO8601()
  readonly at: string;

  @IsIn(DOCUMENT_OUTCOMES)
  readonly outcome: DocumentOutcome;

  /** Why: stable and documented, such as `robots_disallowed` or `file_unreadable`. Absent when nothing is to be said. */
  @IsOptional()
  @IsString() // one that a newer worker knows is taken, too
  readonly code?: ReasonCode;

  /** The same for people. */
  @IsOptional()
  @IsString()
  readonly message?: string;

  /** A page's title, an item's title. */
  @IsOptional()
  @IsString()
  readonly name?: string;

  /** The address a reader can open. */
  @IsOptional()
  @IsString()
  readonly source?: string;

  @IsOptional()
  @IsInt()
  @Min(0)
  readonly fragments?: number;

  @IsOptional()
  @IsInt()
  @Min(0)
  readonly storedTokens?: number;

  /** The version that its job carried, with the outcomes `indexed` and `unchanged`. */
  @IsOptional()
  @IsString()
  readonly version?: string;

  /** How many of its fragments were embedded by their beginnings, because the model accepts no longer text. Absent: none. */
  @IsOptional()
  @IsInt()
  @Min(1)
  readonly truncatedFragments?: number;
}

/** Everything that there is, as a dry run has seen it: the gateway says what would be removed. */
export class WholeReading {
  /** A blob of the datasource with the keys of its documents as a JSON list. Whoever has read it removes it. */
  @IsString()
  @IsNotEmpty()
  readonly blobKey: string;

  /** How many of them can be indexed. */
  @IsInt()
  @Min(0)
  readonly valid: number;
}

/** Every document of a run has been found: the run ends when no document of it is under way. */
export class RunEnumerated {
  @IsString()
  @IsNotEmpty()
  readonly datasourceId: string;

  @IsString()
  @IsNotEmpty()
  readonly runId: string;

  @IsISO8601()
  readonly at: string;

  /** Whether a document that this run did not name is gone. False when the listing was partial, failed or incremental. */
  @IsBoolean()
  readonly complete: boolean;

  /** How many were found, and how many of those were looked at, those included that came to no document. */
  @IsOptional()
  @IsInt()
  @Min(0)
  readonly discovered?: number;

  @IsOptional()
  @IsInt()
  @Min(0)
  readonly fetched?: number;

  /** What a person should know of the enumeration, such as why it is not complete. */
  @IsOptional()
  @IsString()
  readonly note?: string;

  /** What the next sync of a listing continues from. Stored when the run ends without failures in ingestion, or was a full one. */
  @IsOptional()
  @IsObject()
  readonly listingState?: Readonly<Record<string, unknown>>;

  /** Of a dry run that has read everything. */
  @IsOptional()
  @ValidateNested()
  @Type(() => WholeReading)
  readonly wouldKeep?: WholeReading;
}
