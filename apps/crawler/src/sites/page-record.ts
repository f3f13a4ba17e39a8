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

/** Describes the last fetched content of a page, and the location of its bytes. */
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

  /** The generation of the run that stored the bytes. Absent in records of older versions. */
  @IsOptional()
  @IsInt()
  readonly generation?: number;

  @IsOptional()
  @IsString()
  readonly canonical?: string;

  /** The `ETag` of the response, for conditional requests. */
  @IsOptional()
  @IsString()
  readonly etag?: string;

  @IsOptional()
  @IsString()
  readonly lastModified?: string;

  /** The modification date in the sitemap when this content was fetched. */
  @IsOptional()
  @IsString()
  readonly sitemapModified?: string;

  /** The URLs of the page's links, absolute and not normalized. */
  @IsArray()
  @IsString({ each: true })
  readonly links: readonly string[];

  /** The time when the server last sent or confirmed this content, ISO 8601. */
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

  /** The links of the page. Absent if it could not be fetched, so that its links are unknown. */
  @IsOptional()
  @IsArray()
  @IsString({ each: true })
  readonly links?: readonly string[];
}

export const FOUND = ['content', 'redirect', 'problem'] as const;

/**
 * Records the result of the latest run for one page of a datasource, and the last fetched content. A restarted run uses it to
 * skip settled pages; the next run uses it to detect unchanged pages.
 */
export class PageRecordShape {
  /** The id of the run that recorded `found`. */
  @IsString()
  @IsNotEmpty()
  readonly runId: string;

  @IsIn(FOUND)
  readonly found: (typeof FOUND)[number];

  /** The target of a redirect. */
  @IsOptional()
  @IsString()
  readonly redirectTo?: string;

  /** Explains why the page has no content to index. */
  @IsOptional()
  @ValidateNested()
  @Type(() => RecordedProblemShape)
  readonly problem?: RecordedProblem;

  /** The last fetched content, also while the page has a problem. Absent if the page never had content. */
  @IsOptional()
  @ValidateNested()
  @Type(() => PageContentShape)
  readonly content?: PageContent;
}

type Plain<Shape> = { readonly [Field in keyof Shape]: Shape[Field] };
export type PageContent = Plain<PageContentShape>;
export type RecordedProblem = Plain<RecordedProblemShape>;
export type PageRecord = Plain<PageRecordShape>;
