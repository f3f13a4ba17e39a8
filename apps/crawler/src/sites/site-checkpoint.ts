import {
  IsBoolean,
  IsInt,
  IsOptional,
  IsString,
  parse,
  Type,
  ValidateNested,
  ValidationError,
} from '@quarry/validation';

/** Describes the end of a crawl. */
class CrawlEndShape {
  /** True if the crawl found all pages. Pages that it did not find were removed from the site. */
  @IsBoolean()
  readonly complete: boolean;

  @IsInt()
  readonly discovered: number;

  @IsInt()
  readonly fetched: number;

  @IsOptional()
  @IsString()
  readonly note?: string;
}

/** Describes the stored progress of a crawl, with which another process resumes it. */
class SiteCheckpointShape {
  /** The time of the first start of the run, in milliseconds since 1970. */
  @IsInt()
  readonly startedAt: number;

  /** Number of consecutive failures because of which the crawl was postponed, without a recorded page between them. */
  @IsOptional()
  @IsInt()
  readonly failures?: number;

  /** Number of recorded pages at the last of these failures. */
  @IsOptional()
  @IsInt()
  readonly recordedAtFailure?: number;

  /** Absent until the crawl ends. */
  @IsOptional()
  @ValidateNested()
  @Type(() => CrawlEndShape)
  readonly end?: CrawlEnd;
}

type Plain<Shape> = { readonly [Field in keyof Shape]: Shape[Field] };
export type CrawlEnd = Plain<CrawlEndShape>;
export type SiteCheckpoint = Plain<SiteCheckpointShape>;

/** Parses a checkpoint. Returns undefined for an unsupported format; the crawl then starts from the beginning without loss. */
export function readCheckpoint(checkpoint: unknown): SiteCheckpoint | undefined {
  try {
    return checkpoint === undefined ? undefined : parse(SiteCheckpointShape, checkpoint, 'ignore');
  } catch (error) {
    if (error instanceof ValidationError) return undefined;
    throw error;
  }
}
