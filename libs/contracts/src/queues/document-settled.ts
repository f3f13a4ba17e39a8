import {
  IsArray,
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
import { PageConfidence } from '../datasource/page-confidence.js';
import { RunNote } from '../datasource/run-note.js';
import type { ReasonCode } from '../datasource/reasons.js';

export const DOCUMENT_OUTCOMES = ['indexed', 'unchanged', 'failed', 'skipped', 'removed'] as const;
/** Names the outcome of a document in a run. */
export type DocumentOutcome = (typeof DOCUMENT_OUTCOMES)[number];

/**
 * Reports that one of several documents of a run has settled. If there are several reports on the same document of a
 * run, only the first one counts.
 */
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

  /** Holds the time of the event, ISO 8601. */
  @IsISO8601()
  readonly at: string;

  @IsIn(DOCUMENT_OUTCOMES)
  readonly outcome: DocumentOutcome;

  /**
   * Names the reason for the outcome, such as `robots_disallowed` or `file_unreadable`. Stable and documented. Absent:
   * there is none.
   */
  @IsOptional()
  @IsString() // accepts codes of newer workers
  readonly code?: ReasonCode;

  /** Explains `code` to users. */
  @IsOptional()
  @IsString()
  readonly message?: string;

  /** Holds the title of the page or item. */
  @IsOptional()
  @IsString()
  readonly name?: string;

  /** Holds the URL at which users can open the document. */
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

  /**
   * Holds the `version` that the ingestion job of the document contained. Present only for the outcomes `indexed` and
   * `unchanged`, and only if the job contained a version.
   */
  @IsOptional()
  @IsString()
  readonly version?: string;

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

/**
 * Describes all documents that a dry run found. The gateway compares them with the stored documents, to determine which
 * documents a sync would remove.
 */
export class DryRunDocuments {
  /** Identifies a blob that contains the document keys as a JSON array. The process that reads the blob deletes it. */
  @IsString()
  @IsNotEmpty()
  readonly blobKey: string;

  /** Number of found documents that are valid, so that a sync can index them. */
  @IsInt()
  @Min(0)
  readonly valid: number;
}

/** Reports that a run has found all its documents. The run ends when all these documents have settled. */
export class RunEnumerated {
  @IsString()
  @IsNotEmpty()
  readonly datasourceId: string;

  @IsString()
  @IsNotEmpty()
  readonly runId: string;

  @IsISO8601()
  readonly at: string;

  /**
   * True if the run has found every document of its source, so that stored documents that the run has not found no
   * longer exist in the source. False for partial, failed and incremental listings.
   */
  @IsBoolean()
  readonly complete: boolean;

  /**
   * Number of pages or items that the run found, including those that do not become documents. The field `fetched` is
   * the number of found pages or items that were read.
   */
  @IsOptional()
  @IsInt()
  @Min(0)
  readonly discovered?: number;

  @IsOptional()
  @IsInt()
  @Min(0)
  readonly fetched?: number;

  /** Holds the messages of `notes` as one text, for gateways of the previous version, which do not read `notes`. */
  @IsOptional()
  @IsString()
  readonly note?: string;

  /** Lists notes for users, such as why the run has not found every document. */
  @IsOptional()
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => RunNote)
  readonly notes?: readonly RunNote[];

  /**
   * Holds the state from which the next sync of a listing continues. The gateway stores it if no document failed in
   * ingestion, or if a full sync succeeded.
   */
  @IsOptional()
  @IsObject()
  readonly listingState?: Readonly<Record<string, unknown>>;

  /** Describes the documents that a dry run found. Absent: the run is no dry run, or did not read the whole listing. */
  @IsOptional()
  @ValidateNested()
  @Type(() => DryRunDocuments)
  readonly wouldKeep?: DryRunDocuments;
}
