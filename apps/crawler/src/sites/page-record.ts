import {
  IsArray,
  IsIn,
  IsISO8601,
  IsNotEmpty,
  IsObject,
  IsOptional,
  IsString,
  Type,
  ValidateNested,
} from '@quarry/validation';

/** The content of a page as it was last had, and where its bytes are. */
export class PageContent {
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

  /** When the server last gave or confirmed this content, ISO 8601. */
  @IsISO8601()
  readonly confirmedAt: string;
}

export const RECORDED = ['content', 'redirect', 'problem'] as const;

/**
 * What is known of one address of a datasource: what the latest run that came by found there, and the page's content as it
 * was last had. A run that is taken over finds by it what it has done already; the next run, what has not changed.
 */
export class PageRecord {
  /** The run that found `found`. */
  @IsString()
  @IsNotEmpty()
  readonly runId: string;

  @IsIn(RECORDED)
  readonly found: (typeof RECORDED)[number];

  @IsArray()
  @IsString({ each: true })
  readonly links: readonly string[];

  /** Where a redirect leads. */
  @IsOptional()
  @IsString()
  readonly redirectTo?: string;

  /** Why there was nothing to index. */
  @IsOptional()
  @IsIn(['skipped', 'failed'])
  readonly outcome?: 'skipped' | 'failed';

  @IsOptional()
  @IsString()
  readonly code?: string;

  @IsOptional()
  @IsString()
  readonly message?: string;

  /** Absent when the page never had any, or has none any more. */
  @IsOptional()
  @ValidateNested()
  @Type(() => PageContent)
  readonly content?: PageContent;
}
