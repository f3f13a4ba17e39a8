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

/** How a crawl has ended. */
class CrawlEndShape {
  /** Whether a page that was not recorded is gone. */
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

/** What a crawl leaves for the process that continues it. */
class SiteCheckpointShape {
  /** When the run started for the first time, in milliseconds since 1970. */
  @IsInt()
  readonly startedAt: number;

  /** Absent while the crawl is under way. */
  @IsOptional()
  @ValidateNested()
  @Type(() => CrawlEndShape)
  readonly end?: CrawlEnd;
}

type Plain<Shape> = { readonly [Field in keyof Shape]: Shape[Field] };
export type CrawlEnd = Plain<CrawlEndShape>;
export type SiteCheckpoint = Plain<SiteCheckpointShape>;

/** Returns undefined for a checkpoint that this version does not read: the crawl starts anew, which loses nothing. */
export function readCheckpoint(checkpoint: unknown): SiteCheckpoint | undefined {
  try {
    return checkpoint === undefined ? undefined : parse(SiteCheckpointShape, checkpoint, 'ignore');
  } catch (error) {
    if (error instanceof ValidationError) return undefined;
    throw error;
  }
}
