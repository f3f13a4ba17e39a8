import type { ReasonCode } from '@quarry/contracts';
import {
  IsArray,
  IsIn,
  IsInt,
  IsISO8601,
  IsNotEmpty,
  IsObject,
  IsOptional,
  IsString,
  Type,
  ValidateNested,
} from '@quarry/validation';

/** The content of a page as it was last had, and where its bytes are. */
class PageContentShape {
  @IsString()
  @IsNotEmpty()
  readonly source: string;

  @IsString()
  readonly name: string;

  @IsString()
  @IsNotEmpty()
  readonly mimeType: string;

  @IsObject()
  readonly metadata: Readonly<Record<string, string>>;

  @IsString()
  @IsNotEmpty()
  readonly contentHash: string;

  /** Of the run that stored the bytes. Absent: one of before this was written down. */
  @IsOptional()
  @IsInt()
  readonly generation?: number;

  @IsOptional()
  @IsString()
  readonly canonical?: string;

  /** What to ask with, so that the page is sent again only when it has changed. */
  @IsOptional()
  @IsString()
  readonly etag?: string;

  @IsOptional()
  @IsString()
  readonly lastModified?: string;

  /** What the sitemap said of the page's last change when this content was had. */
  @IsOptional()
  @IsString()
  readonly sitemapModified?: string;

  /** Absolute, as the page writes them. */
  @IsArray()
  @IsString({ each: true })
  readonly links: readonly string[];

  /** When the server last gave or confirmed this content, ISO 8601. */
  @IsISO8601()
  readonly confirmedAt: string;
}

class RecordedProblemShape {
  @IsIn(['skipped', 'failed'])
  readonly outcome: 'skipped' | 'failed';

  @IsString()
  @IsNotEmpty()
  readonly code: ReasonCode;

  @IsString()
  readonly message: string;

  /** Where the page leads all the same; absent when it could not be had, so that nobody knows. */
  @IsOptional()
  @IsArray()
  @IsString({ each: true })
  readonly links?: readonly string[];
}

export const RECORDED = ['content', 'redirect', 'problem'] as const;

/**
 * What is known of one address of a datasource: what the latest run that came by found there, and the page's content as it
 * was last had. A run that is taken over finds by it what it has done already; the next run, what has not changed.
 */
export class PageRecordShape {
  /** The run that found `found`. */
  @IsString()
  @IsNotEmpty()
  readonly runId: string;

  @IsIn(RECORDED)
  readonly found: (typeof RECORDED)[number];

  /** Where a redirect leads. */
  @IsOptional()
  @IsString()
  readonly redirectTo?: string;

  /** Why there was nothing to index. */
  @IsOptional()
  @ValidateNested()
  @Type(() => RecordedProblemShape)
  readonly problem?: RecordedProblem;

  /** The page's content as it was last had, kept while there is a problem, too. Absent when the page never had any. */
  @IsOptional()
  @ValidateNested()
  @Type(() => PageContentShape)
  readonly content?: PageContent;
}

type Plain<Shape> = { readonly [Field in keyof Shape]: Shape[Field] };
export type PageContent = Plain<PageContentShape>;
export type RecordedProblem = Plain<RecordedProblemShape>;
export type PageRecord = Plain<PageRecordShape>;
