import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { BlobNotFound, type BlobStore, type DatasourceIds, getDatasourceFolder } from '@quarry/blob-store';
import {
  IsArray,
  IsIn,
  IsInt,
  IsISO8601,
  IsNotEmpty,
  IsObject,
  IsOptional,
  IsString,
  parse,
  Type,
  ValidateNested,
  ValidationError,
} from '@quarry/validation';
import type { ReasonCode } from '@quarry/contracts';

/** Stores the records and contents of a datasource's pages in the blob store, for restarted and later runs. */
export interface PageRecords {
  /** Reads the record of a page. Returns undefined if there is no record or the format of the record is outdated. */
  read(documentKey: string): Promise<PageRecord | undefined>;
  write(documentKey: string, record: PageRecord): Promise<void>;
  /**
   * Stores the content of a page. Replaces content that an earlier start of this run has stored. Keeps the content of
   * earlier runs, because the old record references that content until the new record is written.
   *
   * @returns `content` with the generation of this run, for the record
   */
  writeContent(documentKey: string, content: PageContent, bytes: Uint8Array): Promise<PageContent>;
  /** Returns the blob key of the bytes that the `content` of a page's record describes. */
  getContentKey(documentKey: string, content: PageContent): string;
}

/** Identifies the run of a datasource that stores pages. */
export interface PageRun extends DatasourceIds {
  readonly generation: number;
}

export function createPageRecords(blobs: BlobStore, run: PageRun): PageRecords {
  const { records, contents } = getCrawlFolders(run);
  const getRecordKey = (documentKey: string): string => `${records}${getPageBlobName(documentKey)}`;
  const getContentKey = (documentKey: string, { generation }: Pick<PageContent, 'generation'>): string =>
    `${contents}${getContentBlobName(getPageBlobName(documentKey), generation)}`;
  return {
    getContentKey,
    read: async (documentKey) => {
      try {
        return parse(PageRecordShape, JSON.parse(await text(await blobs.read(getRecordKey(documentKey)))), 'ignore');
      } catch (error) {
        // Without a usable record, the page is fetched again.
        if (error instanceof BlobNotFound || error instanceof ValidationError || error instanceof SyntaxError)
          return undefined;
        throw error;
      }
    },
    write: async (documentKey, record) => {
      await blobs.write(getRecordKey(documentKey), Readable.from([JSON.stringify(record)]));
    },
    writeContent: async (documentKey, content, bytes) => {
      const { generation } = run;
      await blobs.write(getContentKey(documentKey, { generation }), Readable.from([bytes]));
      return { ...content, generation };
    },
  };
}

/** Returns the blob key prefixes of page records and page contents, both inside the datasource's folder. */
export function getCrawlFolders(datasource: Parameters<typeof getDatasourceFolder>[0]): {
  readonly records: string;
  readonly contents: string;
} {
  const folder = `${getDatasourceFolder(datasource)}crawl`;
  return { records: `${folder}/pages/`, contents: `${folder}/content/` };
}

/** Returns the blob name of a page's record, without its folder: a hash of the page's document key. */
export function getPageBlobName(documentKey: string): string {
  return createHash('sha256').update(documentKey).digest('base64url');
}

/**
 * Returns the blob name of a page's content.
 *
 * @param page the blob name of the page's record
 * @param generation the generation of the run that stored the content; undefined for blobs of older Quarry versions
 */
export function getContentBlobName(page: string, generation: number | undefined): string {
  return generation === undefined ? page : `${page}.${generation}`;
}

/**
 * Describes the last fetched content of a page. The page's document key and the generation determine the blob with the
 * bytes.
 */
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

  /** The generation of the run that stored the content. Absent in records of older Quarry versions. */
  @IsOptional()
  @IsInt()
  readonly generation?: number;

  @IsOptional()
  @IsString()
  readonly canonical?: string;

  /**
   * The date of the page's `unavailable_after` directive, ISO 8601. Absent without this directive, and in records of
   * older Quarry versions.
   */
  @IsOptional()
  @IsISO8601()
  readonly unavailableAfter?: string;

  /** The `EXTRACTION_VERSION` that extracted the content. Absent in records of older Quarry versions. */
  @IsOptional()
  @IsInt()
  readonly extractionVersion?: number;

  /** The `ETag` of the response, for conditional requests. */
  @IsOptional()
  @IsString()
  readonly etag?: string;

  @IsOptional()
  @IsString()
  readonly lastModified?: string;

  /** The modification date in the sitemap when this content was fetched or confirmed, not parsed. */
  @IsOptional()
  @IsString()
  readonly sitemapModified?: string;

  /** The URLs of the page's links, absolute and not normalized. */
  @IsArray()
  @IsString({ each: true })
  readonly links: readonly string[];

  /** The time when the server last sent this content or confirmed that it is unchanged, ISO 8601. */
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

  /** The URLs of the page's links. Absent if they are unknown, because the page could not be fetched. */
  @IsOptional()
  @IsArray()
  @IsString({ each: true })
  readonly links?: readonly string[];
}

const FOUND = ['content', 'redirect', 'problem'] as const;

/**
 * Records the result of the latest run for one page of a datasource, and the last fetched content. A restarted run
 * skips the pages that it has already settled and recorded. The next run detects unchanged pages by their records.
 */
class PageRecordShape {
  /** The id of the run that recorded `found`. */
  @IsString()
  @IsNotEmpty()
  readonly runId: string;

  @IsIn(FOUND)
  readonly found: (typeof FOUND)[number];

  /** The URL to which the page redirects. Absent if `found` is not `redirect`. */
  @IsOptional()
  @IsString()
  readonly redirectTo?: string;

  /** Explains why the page has no content to index. Absent if `found` is not `problem`. */
  @IsOptional()
  @ValidateNested()
  @Type(() => RecordedProblemShape)
  readonly problem?: RecordedProblem;

  /** The last fetched content, even if the page now has a problem. Absent if the page never had content. */
  @IsOptional()
  @ValidateNested()
  @Type(() => PageContentShape)
  readonly content?: PageContent;
}

type Plain<Shape> = { readonly [Field in keyof Shape]: Shape[Field] };
export type PageContent = Plain<PageContentShape>;
type RecordedProblem = Plain<RecordedProblemShape>;
export type PageRecord = Plain<PageRecordShape>;
